/** What the receipts say at the end. */
import { join } from 'node:path';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import Database from 'libsql';

export interface ReceiptCount {
  readonly completed: number;
  /** Everything else: running, failed, ambiguous, rejected. */
  readonly open: number;
}

export async function countReceipts(directory: string): Promise<ReceiptCount> {
  const database = new Database(join(directory, 'receipts.sqlite'));
  try {
    const { receipts } = await openSqliteReceiptStore(database).list({ limit: 1_000 });
    const completed = receipts.filter(({ status }) => status === 'completed').length;
    return { completed, open: receipts.length - completed };
  } finally {
    database.close();
  }
}
