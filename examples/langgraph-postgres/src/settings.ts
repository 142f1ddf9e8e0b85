/** What the main process and its workers agree on. */

/** A thread is one order: its id is the thread's, and its customer gets one e-mail. */
export interface Order {
  readonly id: string;
  readonly email: string;
}

export const orders: readonly Order[] = [
  { id: 'order-1001', email: 'ada@example.com' },
  { id: 'order-1002', email: 'ben@example.com' },
];

/** The moments at which a worker can be killed, both before LangGraph has stored what the tool returned. */
export const MOMENT = { sent: 'e-mail out, tool not done', handled: 'tool done, no checkpoint' } as const;

export interface Settings {
  readonly databaseUrl: string;
  readonly worldUrl: string;
  /** The schema of this run: LangGraph's checkpoints and the receipts. */
  readonly schema: string;
  readonly receipts: boolean;
}
