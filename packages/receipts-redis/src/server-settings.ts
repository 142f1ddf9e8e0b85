/** What the server promises: that it never evicts, and what a write survives. */

import type { DurabilityClass } from '@holdfast/receipts';
import type { Connection } from './connection.js';
import { RedisEvictionError } from './redis-errors.js';

/**
 * Refuses a server that may evict receipts. Managed servers often forbid CONFIG, so INFO is asked first. Without a memory
 * limit the policy does not matter.
 *
 * @throws {RedisEvictionError} `ERR_HOLDFAST_REDIS_EVICTION`
 */
export async function refuseEviction(server: Connection): Promise<void> {
  const memory = await info(server, 'memory');
  const policy = memory.get('maxmemory_policy') ?? (await setting(server, 'maxmemory-policy'));
  if (policy === 'noeviction') return;
  const limit = memory.get('maxmemory') ?? (await setting(server, 'maxmemory'));
  if (limit !== '0') throw new RedisEvictionError(policy);
}

/**
 * B with an append-only file that is synced on every write, also while the server rewrites that file or saves; C otherwise,
 * and where the server does not say.
 */
export async function durabilityOf(server: Connection): Promise<DurabilityClass> {
  const persistence = await info(server, 'persistence');
  const appends = persistence.get('aof_enabled') ?? ((await setting(server, 'appendonly')) === 'yes' ? '1' : '0');
  if (appends !== '1' || (await setting(server, 'appendfsync')) !== 'always') return 'C';
  return (await setting(server, 'no-appendfsync-on-rewrite')) === 'no' ? 'B' : 'C';
}

async function info(server: Connection, section: string): Promise<ReadonlyMap<string, string>> {
  const text = await unlessForbidden(server.send('', 'INFO', [section]));
  if (typeof text !== 'string') return new Map();
  return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
}

async function setting(server: Connection, name: string): Promise<string | undefined> {
  const reply = await unlessForbidden(server.send('', 'CONFIG', ['GET', name]));
  // A list of names and values, or with newer protocols an object of them.
  if (Array.isArray(reply)) return typeof reply[1] === 'string' ? reply[1] : undefined;
  const value = (reply as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** The answer, or nothing when the server knows no such command or does not allow it. */
async function unlessForbidden(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && /^(NOPERM|ERR unknown (sub)?command)/i.test(error.message)) return undefined;
    throw error;
  }
}
