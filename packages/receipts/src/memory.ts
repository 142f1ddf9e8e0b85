/** `@holdfast/receipts/memory`: receipts in this process's memory, for tests and hosts of one process. */

import { HoldfastError, runtime } from '@holdfast/kernel';
import { ReceiptOptionError } from './execute-once-errors.js';
import { type ToolCallReceiptKey, toolCallReceiptKeyString } from './receipt-key.js';
import { detailReceipt, type ReceiptRow, summarizeReceipt } from './receipt-row.js';
import type {
  ClaimOutcome,
  ClaimRequest,
  CollectOutcome,
  CollectPolicy,
  FencedOutcome,
  ReceiptClaim,
  ReceiptDetail,
  ReceiptFailure,
  ReceiptFilter,
  ReceiptPage,
  ReceiptStore,
  ReceiptSummary,
  ReceiptVerdict,
  SettleOutcome,
} from './receipt-store.js';
import {
  applyClaim,
  applyComplete,
  applyFail,
  applyRenew,
  applyResolve,
  type ReceiptTransition,
} from './receipt-transition.js';
import { checkCollectPolicy, checkReceiptFilter, isWhole } from './store-requests.js';

/** Options of {@link createMemoryReceiptStore}. */
export interface MemoryReceiptStoreOptions {
  /** The store's clock in milliseconds. Default `performance.now`. */
  readonly now?: () => number;
  /** Most receipts held at once. A new key beyond it is refused, since forgetting one would repeat its effect. Default 100,000. */
  readonly maxReceipts?: number;
}

/** The memory store is full. `collect` makes room. */
export class MemoryStoreFullError extends HoldfastError {
  override readonly name = 'MemoryStoreFullError';
  readonly code = 'ERR_HOLDFAST_MEMORY_STORE_FULL';
  readonly maxReceipts: number;

  constructor(maxReceipts: number) {
    super(
      `The memory store holds its limit of ${maxReceipts} receipts. Call collect for settled ones, raise maxReceipts, or ` +
        'keep receipts in a database.',
    );
    this.maxReceipts = maxReceipts;
  }
}

/**
 * Makes an empty store of durability class C: it ends with the process, so an opaque effect on it needs
 * `allowVolatile`.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for a `maxReceipts` that is not a whole number from 1.
 */
export function createMemoryReceiptStore(options: MemoryReceiptStoreOptions = {}): ReceiptStore {
  const { now = () => runtime.performance.now(), maxReceipts = 100_000 } = options;
  if (!isWhole(maxReceipts, 1, Number.MAX_SAFE_INTEGER)) {
    throw new ReceiptOptionError('maxReceipts', maxReceipts, 'a whole number from 1');
  }
  return new MemoryReceiptStore(now, maxReceipts);
}

interface Entry {
  readonly key: ToolCallReceiptKey;
  readonly serial: number;
  createdAt: number;
  changedAt: number;
  row: ReceiptRow;
  /** `undefined` before the first one: most receipts have none, and an empty map takes its room too. */
  steps: Map<string, string> | undefined;
}

/** The answer of a verb, with the receipt as it is after it, if there is one, and the time. */
interface Applied<Outcome> {
  readonly outcome: Outcome;
  readonly entry: Entry | undefined;
  readonly now: number;
}

/** Each verb reads, decides and writes without a pause in between, which is its transaction. */
class MemoryReceiptStore implements ReceiptStore {
  readonly durability = 'C';
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  readonly #maxReceipts: number;
  #serial = 0;

  constructor(now: () => number, maxReceipts: number) {
    this.#now = now;
    this.#maxReceipts = maxReceipts;
  }

  async claim(key: ToolCallReceiptKey, request: ClaimRequest): Promise<ClaimOutcome> {
    const { outcome, entry, now } = this.#apply(key, (row, now) => applyClaim(row, request, now));
    if (outcome.kind !== 'execute') return outcome;
    const { steps, createdAt } = entry as Entry;
    return { ...outcome, steps: new Map(steps), ageMs: now - createdAt };
  }

  async renew(key: ToolCallReceiptKey, claim: ReceiptClaim, leaseMs: number): Promise<FencedOutcome> {
    return this.#apply(key, (row, now) => applyRenew(row, claim, leaseMs, now)).outcome;
  }

  async step(
    key: ToolCallReceiptKey,
    claim: ReceiptClaim,
    leaseMs: number,
    name: string,
    result: string,
  ): Promise<FencedOutcome> {
    const { outcome, entry } = this.#apply(key, (row, now) => applyRenew(row, claim, leaseMs, now));
    if (outcome.kind === 'ok' && entry !== undefined) {
      entry.steps ??= new Map();
      if (!entry.steps.has(name)) entry.steps.set(name, result);
    }
    return outcome;
  }

  async complete(key: ToolCallReceiptKey, claim: ReceiptClaim, result: string): Promise<SettleOutcome> {
    return this.#apply(key, (row) => applyComplete(row, claim, result)).outcome;
  }

  async fail(key: ToolCallReceiptKey, claim: ReceiptClaim, failure: ReceiptFailure): Promise<SettleOutcome> {
    return this.#apply(key, (row) => applyFail(row, claim, failure)).outcome;
  }

  async resolve(key: ToolCallReceiptKey, attempt: number, verdict: ReceiptVerdict): Promise<FencedOutcome> {
    return this.#apply(key, (row, now) => applyResolve(row, attempt, verdict, now)).outcome;
  }

  async read(key: ToolCallReceiptKey): Promise<ReceiptDetail | undefined> {
    const entry = this.#entries.get(toolCallReceiptKeyString(key));
    const now = this.#now();
    return entry && detailReceipt(entry.key, entry.row, now, agesOf(entry, now), new Map(entry.steps));
  }

  async list(filter: ReceiptFilter = {}): Promise<ReceiptPage> {
    const { tenantId, runId, status, limit, after } = checkReceiptFilter(filter);
    const now = this.#now();
    const receipts: ReceiptSummary[] = [];
    let last = Number(after ?? -1);
    if (!isWhole(last, -1, this.#serial) || (after !== undefined && after !== String(last)))
      throw new ReceiptOptionError('after', after, 'the next of a page of this store');
    for (const entry of this.#entries.values()) {
      if (entry.serial <= last) continue;
      const summary = summarizeReceipt(entry.key, entry.row, now, agesOf(entry, now));
      if (tenantId !== undefined && entry.key.tenantId !== tenantId) continue;
      if (runId !== undefined && entry.key.runId !== runId) continue;
      if (status !== undefined && summary.status !== status) continue;
      if (receipts.length === limit) return { receipts, next: String(last) };
      receipts.push(summary);
      last = entry.serial;
    }
    return { receipts };
  }

  async collect(policy: CollectPolicy): Promise<CollectOutcome> {
    const { dropResultsAfterMs, removeKeysAfterMs, limit } = checkCollectPolicy(policy);
    const now = this.#now();
    let resultsDropped = 0;
    let keysRemoved = 0;
    for (const [id, entry] of this.#entries) {
      const { status, result } = entry.row;
      if (status === 'running' || status === 'ambiguous') continue;
      const age = now - entry.changedAt;
      const removes = age >= removeKeysAfterMs;
      if (!removes && !(status === 'completed' && result !== null && age >= dropResultsAfterMs)) continue;
      if (resultsDropped + keysRemoved === limit) return { resultsDropped, keysRemoved, more: true };
      if (removes) {
        this.#entries.delete(id);
        keysRemoved++;
      } else {
        entry.row = { ...entry.row, result: null, evidence: null };
        entry.steps = undefined;
        resultsDropped++;
      }
    }
    return { resultsDropped, keysRemoved, more: false };
  }

  #apply<Outcome>(
    key: ToolCallReceiptKey,
    transition: (row: ReceiptRow | undefined, now: number) => ReceiptTransition<Outcome>,
  ): Applied<Outcome> {
    const id = toolCallReceiptKeyString(key);
    const entry = this.#entries.get(id);
    const now = this.#now();
    const { outcome, row, anew } = transition(entry?.row, now);
    if (row === undefined) return { outcome, entry, now };
    if (entry === undefined) return { outcome, entry: this.#add(id, key, row, now), now };
    if (row.status !== entry.row.status || row.attempts !== entry.row.attempts) entry.changedAt = now;
    if (anew) entry.createdAt = now;
    entry.row = row;
    return { outcome, entry, now };
  }

  #add(id: string, key: ToolCallReceiptKey, row: ReceiptRow, now: number): Entry {
    if (this.#entries.size >= this.#maxReceipts) throw new MemoryStoreFullError(this.#maxReceipts);
    const { tenantId, runId, toolName, argsHash } = key;
    const entry: Entry = {
      key: { tenantId, runId, toolName, argsHash },
      serial: this.#serial++,
      createdAt: now,
      changedAt: now,
      row,
      steps: undefined,
    };
    this.#entries.set(id, entry);
    return entry;
  }
}

function agesOf({ createdAt, changedAt }: Entry, now: number) {
  return { ageMs: now - createdAt, sinceChangeMs: now - changedAt };
}
