import type { ReceiptStore } from '@holdfast/receipts';
import { receiptStoreConformance } from '@holdfast/receipts/conformance';
import { openRedisReceiptStore, type RedisClientLike } from '@holdfast/receipts-redis';
import { beforeAll, describe, it } from 'vitest';
import { REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { CLIENTS, type OpenClient, type OpenedClient } from './support/clients.js';
import { withStillClock } from './support/intercepted.js';
import { usePrefixes } from './support/prefixes.js';

const newPrefix = usePrefixes();

const answers = await serverAnswers(REDIS_URL);

/** Two clients of the server, as two processes have. */
function useClients(open: OpenClient): () => readonly [OpenedClient, OpenedClient] {
  let clients: [OpenedClient, OpenedClient];
  beforeAll(async () => {
    clients = await Promise.all([open(REDIS_URL), open(REDIS_URL)]);
    return () => Promise.all(clients.map((client) => client.close()));
  });
  return () => clients;
}

function openBoth(one: RedisClientLike, other: RedisClientLike): Promise<[ReceiptStore, ReceiptStore]> {
  const prefix = newPrefix();
  return Promise.all([openRedisReceiptStore(one, { prefix }), openRedisReceiptStore(other, { prefix })]);
}

describe.skipIf(!answers)('ioredis', () => {
  const clients = useClients(CLIENTS['ioredis 6'] as OpenClient);
  receiptStoreConformance({ describe, it }, async () => {
    const [one, other] = clients();
    const [store, second] = await openBoth(one.client, other.client);
    return { store, other: second };
  });
});

describe.skipIf(!answers)('node-redis, on a clock that stands still', () => {
  const clients = useClients(CLIENTS['node-redis 6'] as OpenClient);
  const clockKey = `${newPrefix()}:clock`;
  receiptStoreConformance({ describe, it }, async () => {
    const [one, other] = clients();
    const clock = withStillClock(one.client, clockKey);
    await clock.advance(0);
    const [store, second] = await openBoth(clock.client, withStillClock(other.client, clockKey).client);
    return { store, other: second, advance: clock.advance };
  });
});
