/** What the main process and its workers agree on. */

/** An order that is to be confirmed by e-mail: the data of a job. */
export interface Order {
  readonly id: string;
  readonly email: string;
}

export const QUEUE = 'confirm-order';

/** The moments at which a worker can be killed: after the effect, and always before the acknowledgement. */
export const MOMENT = { sent: 'e-mail out, tool not done', handled: 'tool done, not acknowledged' } as const;

export interface Settings {
  readonly redisUrl: string;
  readonly worldUrl: string;
  /** What all keys of this run begin with. */
  readonly prefix: string;
  readonly receipts: boolean;
}
