/** A case, and how a group of them is written down. */

import type { OpenStore } from './opened-store.js';
import { Trial } from './trial.js';

/** One thing that a store must do. */
export interface ConformanceCase {
  /** Names the case for good: `group/what`. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Opens a store, and rejects with a `ConformanceError` if it does not do it. */
  run(open: OpenStore): Promise<void>;
}

/** Title and body by the last part of the id. */
type Bodies = Readonly<Record<string, readonly [title: string, body: (trial: Trial) => Promise<void>]>>;

export function cases(group: string, bodies: Bodies): ConformanceCase[] {
  return Object.entries(bodies).map(([name, [title, body]]) => ({
    id: `${group}/${name}`,
    group,
    title,
    run: (open) => tried(open, body),
  }));
}

async function tried(open: OpenStore, body: (trial: Trial) => Promise<void>): Promise<void> {
  const opened = await open();
  try {
    await body(new Trial(opened));
  } finally {
    await opened.close?.();
  }
}
