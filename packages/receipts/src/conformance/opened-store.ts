/** What the author of a store gives to the suite. */

import type { ReceiptStore } from '../receipt-store.js';

/** A store that a case may fill, as its author opened it. */
export interface OpenedStore {
  /** An empty store, whose receipts no other case and no other test sees. */
  readonly store: ReceiptStore;
  /** The same receipts as another process would reach them: through a connection or client of its own. */
  readonly other: ReceiptStore;
  /**
   * Moves the store's clock forward by whole milliseconds; it must stand still otherwise. Absent for a store whose clock
   * nobody can move, as that of a database server: the suite then takes short leases, and asks until the store says that
   * they are over.
   */
  advance?(ms: number): void | Promise<void>;
  /** Gives back what the case used. Called once, also after a failure. */
  close?(): void | Promise<void>;
}

/** Opens a store for one case. */
export type OpenStore = () => OpenedStore | Promise<OpenedStore>;
