/** Key prefixes on the shared server, and their removal. */

import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import { REDIS_URL } from '../../../../test/support/services.js';

/** A maker of prefixes that nobody else uses. What was written under them is removed after the file's tests. */
export function usePrefixes(): () => string {
  const root = `holdfast-test:${randomUUID()}`;
  let serial = 0;
  afterAll(() => (serial > 0 ? removeKeys(REDIS_URL, root) : undefined));
  return () => `${root}:${serial++}`;
}

export async function removeKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url);
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await redis.unlink(...(keys as string[]));
  }
  redis.disconnect();
}
