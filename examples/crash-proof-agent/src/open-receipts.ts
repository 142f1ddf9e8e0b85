/** The receipts of a run: one SQLite file, which workers write and the supervisor counts at the end. */
import { join } from 'node:path';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import type { ReceiptStore } from 'holdfast';
import Database from 'libsql';

/** Whose receipts they are. */
export const TENANT_ID = 'demo';

/** Short, so that nobody waits long for a dead process. A real host takes the default of 30 seconds. */
export const LEASE_MS = 1_000;

export interface OpenReceipts {
  readonly store: ReceiptStore;
  close(): void;
}

export function openReceipts(directory: string): OpenReceipts {
  const database = new Database(join(directory, 'receipts.sqlite'));
  return { store: openSqliteReceiptStore(database), close: () => database.close() };
}
