/** What a command needs of a store, whichever it is. */

import type { ReceiptStore } from '@holdfast/receipts';

/** How the command line opens stores. */
export interface ConnectOptions {
  /** PostgreSQL: the schema of the tables. */
  readonly schema: string | undefined;
  /** Redis: what the keys begin with. */
  readonly prefix: string | undefined;
  /** `read` connections cannot write, where the driver can be told so. */
  readonly access: 'read' | 'write';
}

/** How bad a finding is: `problem` loses receipts or keeps the store from working, `warning` needs somebody. */
export type Level = 'ok' | 'note' | 'warning' | 'problem';

/** One thing that was looked at, in words, and what to do about it. */
export interface Finding {
  readonly level: Level;
  readonly topic: string;
  readonly text: string;
  readonly advice?: string;
}

/** A connection that stands. */
export interface Connection {
  /** Opens the store as it is: nothing is created, upgraded or marked. */
  open(): Promise<ReceiptStore>;
  /** Looks at the server's settings. */
  inspect(): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

/** How long a server has to answer. */
export const TIMEOUT_MS = 10_000;

/** A finding about two clocks. Leases and ages are measured on the server's, so a difference harms no receipt. */
export function clockFinding(serverMs: number, beforeMs: number, afterMs: number): Finding {
  const off = Math.max(0, beforeMs - serverMs, serverMs - afterMs);
  const seconds = (off / 1_000).toFixed(1);
  if (off < 2_000) return { level: 'ok', topic: 'clock', text: 'the server and this machine agree' };
  return {
    level: off < 60_000 ? 'note' : 'warning',
    topic: 'clock',
    text: `the server and this machine differ by ${seconds} seconds`,
    advice: 'Leases run on the server and are not harmed, but logs will disagree: set both clocks by NTP.',
  };
}
