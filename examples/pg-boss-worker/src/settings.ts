/** What the main process and its workers agree on. */

import type { Mailer, Stage } from '@holdfast/example-stage';
import type { PostgresReceiptStore } from '@holdfast/receipts-postgres';
import type { Pool } from 'pg';

/** An order: the data of a job. */
export interface Order {
  readonly id: string;
  readonly email: string;
}

/** The queue of an effect outside of the database: an e-mail. */
export const CONFIRM = 'confirm-order';
/** The queue of an effect in the database that also holds the receipts: a row. */
export const BOOK = 'book-seat';

/** The moments at which a worker can be killed, all of them before the job is acknowledged. */
export const MOMENT = {
  sent: 'e-mail out, tool not done',
  handled: 'tool done, not acknowledged',
  written: 'row written, not committed',
  committed: 'committed, not acknowledged',
} as const;

export interface Settings {
  readonly databaseUrl: string;
  readonly worldUrl: string;
  /** The schema of this run: pg-boss's tables, the receipts, and the bookings. */
  readonly schema: string;
  readonly receipts: boolean;
}

/** What the handlers of both queues work with. */
export interface WorkerHost {
  readonly settings: Settings;
  readonly stage: Stage;
  readonly pool: Pool;
  readonly store: PostgresReceiptStore;
  readonly mailer: Mailer;
}
