/** The accounts: what the world counted against what calls were told and what receipts say. */

import type { ReceiptStore, ReceiptSummary } from '@holdfast/receipts';
import { type Call, HELD, PARTS, partsBefore } from './calls.js';
import type { Entry } from './world.js';

/** Two sums that must be equal. */
export interface Identity {
  readonly name: string;
  readonly left: number;
  readonly right: number;
}

export interface Books {
  readonly calls: number;
  readonly keys: number;
  readonly effects: number;
  readonly grants: number;
  /** Calls by how they ended. */
  readonly ended: ReadonlyMap<string, number>;
  /** Calls whose process was killed, by where. */
  readonly struck: ReadonlyMap<string, number>;
  /** Receipts by status. */
  readonly receipts: ReadonlyMap<string, number>;
  /** Keys of which a part ran more often than kills and verdicts account for. */
  readonly twice: number;
  /** Keys whose recorded result is not there any more. */
  readonly lost: number;
  /** Keys that are ambiguous though nobody was killed. */
  readonly falseAmbiguities: number;
  /** Calls that were given another result than the world's. */
  readonly wrong: number;
  readonly identities: readonly Identity[];
}

interface KeyBook {
  readonly effects: Extract<Entry, { what: 'effect' }>[];
  readonly ends: Extract<Entry, { what: 'end' }>[];
  readonly strikes: Extract<Entry, { what: 'strike' }>[];
  readonly effect: Call['effect'];
  readonly receipt: ReceiptSummary | undefined;
}

export async function closeBooks(
  entries: readonly Entry[],
  calls: Iterable<Call>,
  store: ReceiptStore,
): Promise<Books> {
  const given = new Map(Array.from(calls, (call) => [call.id, call]));
  const receipts = await allReceipts(store);
  const keys = keyBooks(entries, given, receipts);
  const made = entries.filter(({ what }) => what === 'call').length;
  const ends = entries.filter((entry) => entry.what === 'end');
  const strikes = entries.filter((entry) => entry.what === 'strike');
  const effects = entries.filter((entry) => entry.what === 'effect');
  const books = [...keys.values()];
  const statuses = countBy(books, ({ receipt }) => receipt?.status ?? 'absent');
  const holders = new Set(ends.filter(({ kind }) => RAN.has(kind)).map(({ call }) => call));
  const cut = new Set(strikes.map(({ call }) => call));
  const told = (book: KeyBook) => book.ends.some(({ kind }) => kind === 'executed' || kind === 'replayed');
  const grants = books.reduce((sum, { receipt }) => sum + (receipt?.attempt ?? 0), 0);
  return {
    calls: made,
    keys: keys.size,
    effects: effects.length,
    grants,
    ended: countBy(ends, ({ kind }) => kind),
    struck: countBy(strikes, ({ point }) => point),
    receipts: statuses,
    twice: books.filter(ranTooOften).length,
    lost: books.filter(isLost).length,
    falseAmbiguities: books.filter(({ receipt, strikes }) => receipt?.status === 'ambiguous' && strikes.length === 0)
      .length,
    wrong: books.reduce((sum, book) => sum + wrongResults(book), 0),
    identities: [
      { name: 'calls delivered = calls made', left: given.size, right: made },
      { name: 'calls made = calls ended + calls cut short', left: made, right: ends.length + strikes.length },
      {
        name: 'effects = effects of calls that executed, lost or were cut short',
        left: effects.length,
        right: effects.filter(({ call }) => holders.has(call) || cut.has(call)).length,
      },
      {
        name: 'calls executed = their effects, each whole',
        left: ends.filter(({ kind }) => kind === 'executed').length,
        right: wholeExecutions(books),
      },
      {
        name: 'effects of calls cut short = parts before the cut',
        left: effects.filter(({ call }) => cut.has(call)).length,
        right: partsCut(strikes, given),
      },
      { name: 'receipts = keys called', left: receipts.size, right: keys.size - (statuses.get('absent') ?? 0) },
      {
        name: 'receipts completed = keys whose result is known',
        left: statuses.get('completed') ?? 0,
        right: books.filter(told).length,
      },
      {
        name: 'keys with more effects of one kind than grants = 0',
        left: books.filter(exceedsGrants).length,
        right: 0,
      },
    ],
  };
}

/** Ends of calls that ran the effect. */
const RAN: ReadonlySet<string> = new Set(['executed', 'lost', 'failed', 'unrecorded']);

function keyBooks(
  entries: readonly Entry[],
  given: ReadonlyMap<string, Call>,
  receipts: ReadonlyMap<string, ReceiptSummary>,
): Map<string, KeyBook> {
  const keys = new Map<string, KeyBook>();
  for (const { key, effect } of given.values()) {
    if (!keys.has(key)) keys.set(key, { effects: [], ends: [], strikes: [], effect, receipt: receipts.get(key) });
  }
  for (const entry of entries) {
    const book = keys.get(entry.key);
    if (entry.what === 'effect') book?.effects.push(entry);
    if (entry.what === 'end') book?.ends.push(entry);
    if (entry.what === 'strike') book?.strikes.push(entry);
  }
  return keys;
}

async function allReceipts(store: ReceiptStore): Promise<Map<string, ReceiptSummary>> {
  const found = new Map<string, ReceiptSummary>();
  let after: string | undefined;
  do {
    const page = await store.list({ limit: 1_000, ...(after !== undefined && { after }) });
    for (const receipt of page.receipts) if (receipt.key.toolName !== HELD) found.set(receipt.key.argsHash, receipt);
    after = page.next;
  } while (after !== undefined);
  return found;
}

function timesOf({ effects }: KeyBook, part: string): number {
  return effects.filter((effect) => effect.part === part).length;
}

/**
 * An opaque effect runs once, whoever asked and whatever was killed. A part of a resumable one runs once more for each
 * kill, or takeover of a stopped worker, between it and its journal entry.
 */
function ranTooOften(book: KeyBook): boolean {
  const { effect, strikes } = book;
  return PARTS[effect].some((part) => {
    const unwritten =
      effect === 'opaque' ? 0 : strikes.filter(({ point }) => part === 'one' && point === 'one-ran').length;
    return timesOf(book, part) > 1 + unwritten;
  });
}

function exceedsGrants(book: KeyBook): boolean {
  return PARTS[book.effect].some((part) => timesOf(book, part) > (book.receipt?.attempt ?? 0));
}

/** A result that a caller was told, or that was recorded before its process was killed, stays. */
function isLost({ ends, strikes, receipt }: KeyBook): boolean {
  const recorded = ends.some(({ kind }) => kind === 'executed') || strikes.some(({ point }) => point === 'recorded');
  const again = ends.filter(({ kind }) => kind === 'executed').length > 1;
  return (recorded && receipt?.status !== 'completed') || again;
}

/** Every result of a key is the same, and names for each part a call that ran it. */
function wrongResults({ ends, effects, effect }: KeyBook): number {
  const results = ends.filter(({ kind }) => kind === 'executed' || kind === 'replayed');
  const first = JSON.stringify(results[0]?.value);
  const isTrue = (value: readonly string[] | undefined) =>
    PARTS[effect].every((part, index) => effects.some((ran) => ran.part === part && ran.call === value?.[index]));
  return results.filter(({ value }) => JSON.stringify(value) !== first || !isTrue(value)).length;
}

/** Calls that executed, for which the world counted each part that their value says they ran themselves. */
function wholeExecutions(books: readonly KeyBook[]): number {
  return books.reduce((sum, { ends, effects, effect }) => {
    const whole = ends.filter(({ kind, call, value }) => {
      if (kind !== 'executed') return false;
      const own = effects.filter((ran) => ran.call === call).map(({ part }) => part);
      const said = PARTS[effect].filter((_, index) => value?.[index] === call);
      return own.join() === said.join();
    });
    return sum + whole.length;
  }, 0);
}

function partsCut(strikes: readonly Extract<Entry, { what: 'strike' }>[], given: ReadonlyMap<string, Call>): number {
  return strikes.reduce((sum, { call, point }) => sum + partsBefore(point, given.get(call)?.effect ?? 'opaque'), 0);
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}
