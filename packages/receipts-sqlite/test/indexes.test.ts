import type { ReceiptFilter, ReceiptStatus, ReceiptStore } from '@holdfast/receipts';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { granted, keyOf } from '../../receipts/test/support/claiming.js';
import {
  type Database,
  hasNodeSqlite,
  type OpenDatabase,
  opened,
  openLibsql,
  openNodeSqlite,
} from './support/databases.js';

const UNFINISHED: readonly ReceiptStatus[] = ['running', 'expired', 'ambiguous', 'failed', 'rejected'];

function plansOn(open: OpenDatabase): void {
  let database: Database;
  let store: ReceiptStore;
  let prepared: string[];

  beforeEach(() => {
    database = opened(open, ':memory:');
    prepared = [];
    store = openSqliteReceiptStore({
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        prepared.push(sql);
        return database.prepare(sql);
      },
    });
  });

  const planOf = (sql: string) =>
    (
      database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array(sql.split('?').length - 1).fill(0)) as {
        detail: string;
      }[]
    )
      .map(({ detail }) => detail)
      .join('\n');

  async function planOfList(filter: ReceiptFilter): Promise<string> {
    const before = prepared.length;
    await store.list(filter);
    expect(prepared).toHaveLength(before + 1);
    return planOf(prepared.at(-1) as string);
  }

  it.each(UNFINISHED)('lists %s receipts by the index that the README offers, if it is there', async (status) => {
    expect(await planOfList({ status })).toBe('SCAN holdfast_receipts');
    database.exec(`CREATE INDEX unfinished ON holdfast_receipts (status)
      WHERE status IN ('running', 'ambiguous', 'failed', 'rejected')`);
    const plan = await planOfList({ status });
    expect(plan).toMatch(/^SEARCH holdfast_receipts USING INDEX unfinished \(status=\?/);
    expect(plan).not.toContain('SCAN');
    // What is open is little, and lies in two states; all else lies in the order of the list.
    expect(plan.includes('TEMP B-TREE')).toBe(status === 'ambiguous');
  });

  it.each(['completed', 'gone'] as const)('lists %s receipts along the key, without sorting', async (status) => {
    expect(await planOfList({ status })).toBe('SCAN holdfast_receipts');
    expect(await planOfList({ status, tenantId: 'tenant' })).toBe(
      'SEARCH holdfast_receipts USING PRIMARY KEY (tenant_id=?)',
    );
  });

  it('lists the receipts of a tenant, and the next page, by the key', async () => {
    await granted(store, 'a');
    await granted(store, 'b', {}, keyOf('other'));
    const { next } = await store.list({ tenantId: 'tenant', limit: 1 });
    for (const filter of [{}, { runId: 'run' }, { runId: 'run', after: next as string }]) {
      const plan = await planOfList({ tenantId: 'tenant', ...filter });
      expect(plan).toMatch(/^SEARCH holdfast_receipts USING PRIMARY KEY \(tenant_id=\?/);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });

  it('collects by the index of what is old enough', () => {
    const plan = planOf(prepared.find((sql) => sql.includes('UNION ALL')) as string);
    const lines = plan.split('\n').filter((line) => /SEARCH|SCAN/.test(line));
    const found = 'SEARCH holdfast_receipts USING INDEX holdfast_receipts_shelf (spent=? AND created_at<?)';
    expect(lines).toEqual([found, found]);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it('ends an attempt without writing to an index', () => {
    const settle = prepared.find(
      (sql) => /SET status = \?, result = \?/.test(sql) && !sql.includes('resolved'),
    ) as string;
    const steps = database.prepare(`EXPLAIN ${settle}`).all(...Array(settle.split('?').length - 1).fill(0));
    const opened = (steps as { readonly opcode: string }[]).filter(({ opcode }) => opcode === 'OpenWrite');
    expect(opened).toHaveLength(1);
  });

  it('finds, writes and removes one receipt by its key', () => {
    const byKey = prepared.filter((sql) => sql.includes('args_hash = ?') && !sql.startsWith('INSERT'));
    expect(byKey).toHaveLength(8);
    for (const sql of byKey)
      expect(planOf(sql)).toMatch(/USING PRIMARY KEY \(tenant_id=\? AND run_id=\? AND tool_name=\? AND args_hash=\?/);
  });
}

describe('on libsql', () => plansOn(openLibsql));
describe.skipIf(!hasNodeSqlite)('on node:sqlite (needs Node 22)', () => plansOn(openNodeSqlite));
