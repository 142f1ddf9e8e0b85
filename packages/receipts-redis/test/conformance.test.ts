import type { ReceiptStore } from '@holdfast/receipts';
import { receiptStoreConformance } from '@holdfast/receipts/conformance';
import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { CLIENTS, type OpenedClient } from './support/clients.js';
import { usePrefixes } from './support/prefixes.js';

const newPrefix = usePrefixes();

describe.skipIf(!(await serverAnswers(REDIS_URL))).each(Object.entries(CLIENTS))('%s', (_, open) => {
  let clients: OpenedClient[] = [];
  beforeAll(async () => {
    clients = await Promise.all([open(REDIS_URL), open(REDIS_URL)]);
  });
  afterAll(() => Promise.all(clients.map((client) => client.close())));

  receiptStoreConformance({ describe, it }, async () => {
    const prefix = newPrefix();
    const stores = clients.map(({ client }) => openRedisReceiptStore(client, { prefix }));
    const [store, other] = (await Promise.all(stores)) as [ReceiptStore, ReceiptStore];
    return { store, other };
  });
});
