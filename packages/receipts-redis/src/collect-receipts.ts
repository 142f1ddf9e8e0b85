/** Retention: results first, keys later, bucket by bucket. */

import type { CollectOutcome, CollectPolicy } from '@holdfast/receipts';
import { checkCollectPolicy } from '@holdfast/receipts/store';
import { BUCKETS, readEntry, type Shelf, shelfOf } from './key-names.js';
import { scan } from './list-receipts.js';
import { listOf, numberOf } from './replies.js';
import { type ScriptRunner, scriptOf } from './script-runner.js';
import { COLLECT } from './scripts/shelf.js';

const COLLECT_SCRIPT = scriptOf(COLLECT);

/** Buckets whose indexes are looked into at once. */
const WINDOW = 32;

/** Receipts that one script clears, so that the server is never held up for long. */
const BATCH = 200;

export async function collectReceipts(
  runner: ScriptRunner,
  prefix: string,
  policy: CollectPolicy,
): Promise<CollectOutcome> {
  const collection = new Collection(runner, checkCollectPolicy(policy));
  for (let bucket = 0; bucket < BUCKETS; bucket += WINDOW) {
    const shelves = Array.from({ length: WINDOW }, (_, index) => shelfOf(prefix, bucket + index));
    const due = await Promise.all(shelves.map((shelf) => collection.firstDue(shelf)));
    for (const [index, [live, spent]] of due.entries()) {
      const shelf = shelves[index] as Shelf;
      await collection.sweep(shelf, shelf.live, live);
      await collection.sweep(shelf, shelf.spent, spent);
      if (collection.more) return collection.outcome();
    }
  }
  return collection.outcome();
}

type Scanned = Awaited<ReturnType<typeof scan>>;

class Collection {
  readonly #runner: ScriptRunner;
  readonly #policy: Required<CollectPolicy>;
  #resultsDropped = 0;
  #keysRemoved = 0;
  more = false;

  constructor(runner: ScriptRunner, policy: Required<CollectPolicy>) {
    this.#runner = runner;
    this.#policy = policy;
  }

  outcome(): CollectOutcome {
    return { resultsDropped: this.#resultsDropped, keysRemoved: this.#keysRemoved, more: this.more };
  }

  firstDue(shelf: Shelf): Promise<[Scanned, Scanned]> {
    return Promise.all([this.#due(shelf, shelf.live, ''), this.#due(shelf, shelf.spent, '')]);
  }

  /** Clears what is due of one index. An entry is only a candidate: its receipt may have changed since its first claim. */
  async sweep(shelf: Shelf, index: string, first: Scanned): Promise<void> {
    let { entries, last } = first;
    while (entries.length > 0 && !this.more) {
      await this.#clear(shelf, entries);
      if (last === '') return;
      ({ entries, last } = await this.#due(shelf, index, last));
    }
  }

  /** A receipt is never younger than its index entry, so the entry's age bounds the search. */
  #due(shelf: Shelf, index: string, from: string): Promise<Scanned> {
    const { dropResultsAfterMs, removeKeysAfterMs } = this.#policy;
    const age = index === shelf.live ? dropResultsAfterMs : removeKeysAfterMs;
    return scan(this.#runner, [index], from, ageText(age), '', BATCH);
  }

  async #clear(shelf: Shelf, entries: readonly string[]): Promise<void> {
    const { dropResultsAfterMs, removeKeysAfterMs, limit } = this.#policy;
    const left = limit - this.#resultsDropped - this.#keysRemoved;
    const keys = entries.map((entry) => shelf.receipt(readEntry(entry).text));
    const ages = [ageText(dropResultsAfterMs), ageText(removeKeysAfterMs), String(left)];
    const reply = await this.#runner.run(COLLECT_SCRIPT, [shelf.live, shelf.spent, ...keys], [...ages, ...entries]);
    const [dropped, removed, more] = listOf(reply).map(numberOf) as [number, number, number];
    this.#resultsDropped += dropped;
    this.#keysRemoved += removed;
    this.more = more === 1;
  }
}

/** Ages may be infinite, which Lua reads differently from server to server. */
function ageText(age: number): string {
  return String(Math.min(age, Number.MAX_SAFE_INTEGER));
}
