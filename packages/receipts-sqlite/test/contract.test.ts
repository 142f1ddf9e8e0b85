import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { describe, it } from 'vitest';
import { STORE_CONTRACT } from '../../receipts/test/support/store-contract.js';
import {
  hasNodeSqlite,
  type OpenDatabase,
  opened,
  openLibsql,
  openNodeSqlite,
  stillClock,
} from './support/databases.js';

function openWith(open: OpenDatabase) {
  return () => {
    const { clock, calendar, advance } = stillClock();
    return { store: openSqliteReceiptStore(opened(open, ':memory:'), { clock, calendar }), advance };
  };
}

for (const [group, cases] of Object.entries(STORE_CONTRACT)) {
  describe(`libsql: ${group}`, () => {
    for (const { name, run } of cases) it(name, () => run(openWith(openLibsql)));
  });
  describe.skipIf(!hasNodeSqlite)(`node:sqlite (needs Node 22): ${group}`, () => {
    for (const { name, run } of cases) it(name, () => run(openWith(openNodeSqlite)));
  });
}
