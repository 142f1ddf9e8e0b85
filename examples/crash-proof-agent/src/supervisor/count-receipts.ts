/** What the receipts say at the end. */
import { openReceipts } from '../open-receipts.js';

export interface ReceiptCount {
  readonly completed: number;
  /** Everything else: running, failed, ambiguous, rejected. */
  readonly open: number;
}

export async function countReceipts(directory: string): Promise<ReceiptCount> {
  const { store, close } = openReceipts(directory);
  try {
    const { receipts } = await store.list({ limit: 1_000 });
    const completed = receipts.filter(({ status }) => status === 'completed').length;
    return { completed, open: receipts.length - completed };
  } finally {
    close();
  }
}
