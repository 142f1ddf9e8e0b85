/** What the receipts say at the end. */

export interface ReceiptCount {
  readonly completed: number;
  /** Running, failed or ambiguous. */
  readonly open: number;
}

export async function countReceipts(_directory: string): Promise<ReceiptCount> {
  return { completed: 0, open: 0 };
}
