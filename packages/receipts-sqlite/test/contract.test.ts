import type { ReceiptStore } from '@holdfast/receipts';
import { receiptStoreConformance } from '@holdfast/receipts/conformance';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { describe, it } from 'vitest';
import {
  hasNodeSqlite,
  type OpenDatabase,
  openLibsql,
  openNodeSqlite,
  stillClock,
  temporaryFile,
} from './support/databases.js';

/** Two connections to one file, as two processes have. */
function openWith(open: OpenDatabase) {
  return () => {
    const { clock, calendar, advance } = stillClock();
    const path = temporaryFile();
    const databases = [open(path), open(path)] as const;
    const [store, other] = databases.map((database) =>
      openSqliteReceiptStore(database, { clock, calendar, durability: 'B' }),
    ) as [ReceiptStore, ReceiptStore];
    const close = () => {
      for (const database of databases) database.close();
    };
    return { store, other, advance, close };
  };
}

describe('on libsql', () => receiptStoreConformance({ describe, it }, openWith(openLibsql)));
describe.skipIf(!hasNodeSqlite)('on node:sqlite (needs Node 22)', () =>
  receiptStoreConformance({ describe, it }, openWith(openNodeSqlite)),
);
