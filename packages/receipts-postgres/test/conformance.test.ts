import { receiptStoreConformance } from '@holdfast/receipts/conformance';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { describe, it } from 'vitest';
import { empty, hasServer, newSchema, openPool, stillClock } from './support/databases.js';

describe.skipIf(!hasServer)('PostgreSQL, on a clock that the test moves', () => {
  const [pool, otherPool] = [openPool(), openPool()];
  const schema = pool.dropsLater(newSchema());
  receiptStoreConformance({ describe, it }, async () => {
    const { client, advance, onClock } = await stillClock(pool, schema);
    const store = await openPostgresReceiptStore(client, { schema });
    const other = await openPostgresReceiptStore(onClock(otherPool), { schema });
    await empty(pool, schema);
    return { store, other, advance };
  });
});

describe.skipIf(!hasServer)('PostgreSQL, on its own clock', () => {
  const [pool, otherPool] = [openPool(), openPool()];
  const schema = pool.dropsLater(newSchema());
  receiptStoreConformance({ describe, it }, async () => {
    const store = await openPostgresReceiptStore(pool, { schema });
    const other = await openPostgresReceiptStore(otherPool, { schema, preparedStatements: 'unnamed' });
    await empty(pool, schema);
    return { store, other };
  });
});
