/** A store made of parts that a test may replace: sound as it is, and broken in one place when one part is. */

import type {
  ClaimOutcome,
  ClaimRequest,
  CollectPolicy,
  ReceiptClaim,
  ReceiptDetail,
  ReceiptFilter,
  ReceiptStore,
  ReceiptSummary,
  ToolCallReceiptKey,
} from '@holdfast/receipts';
import { toolCallReceiptKeyString } from '@holdfast/receipts';
import type { OpenedStore } from '@holdfast/receipts/conformance';
import {
  applyClaim,
  applyComplete,
  applyFail,
  applyRenew,
  applyResolve,
  type ClaimAnswer,
  checkCollectPolicy,
  checkReceiptFilter,
  detailReceipt,
  ReceiptOptionError,
  type ReceiptRow,
  type ReceiptTransition,
  summarizeReceipt,
} from '@holdfast/receipts/store';

export interface Entry {
  readonly key: ToolCallReceiptKey;
  readonly serial: number;
  createdAt: number;
  changedAt: number;
  row: ReceiptRow;
  /** How often a claim was told that nobody can tell. */
  ambiguities: number;
}

export type Verb = 'claim' | 'renew' | 'step' | 'complete' | 'fail' | 'resolve' | 'collect';
export type Granted = ClaimOutcome & { readonly kind: 'execute' };

/** Everything that a broken store may do in another way. */
export interface Parts {
  keyText(key: ToolCallReceiptKey): string;
  journalText(key: ToolCallReceiptKey): string;
  claim(row: ReceiptRow | undefined, request: ClaimRequest, now: number, entry?: Entry): ReceiptTransition<ClaimAnswer>;
  renew: typeof applyRenew;
  /** The gate and the lease of a step. */
  step: typeof applyRenew;
  complete: typeof applyComplete;
  fail: typeof applyFail;
  resolve: typeof applyResolve;
  /** What a granted caller is told. `before` is the row as it was. */
  tell(granted: Granted, before: ReceiptRow | undefined, entry: Entry): Granted;
  /** What becomes of the journal when the row is written. */
  journal(steps: Map<string, string>, before: ReceiptRow | undefined, after: ReceiptRow): void;
  append(steps: Map<string, string>, name: string, result: string): void;
  /** Whether the verb lets others in between its reading and its writing. */
  pauses(verb: Verb, row: ReceiptRow | undefined, now: number): boolean;
  isChange(before: ReceiptRow, after: ReceiptRow): boolean;
  startsAnew(transition: ReceiptTransition<unknown>): boolean;
  /** What is read of a receipt; `undefined` where there is none. */
  detail(
    detail: ReceiptDetail | undefined,
    entry: Entry | undefined,
    store: BreakableStore,
    key: ToolCallReceiptKey,
  ): ReceiptDetail | undefined;
  selects(filter: ReceiptFilter, receipt: ReceiptSummary, entry: Entry): boolean;
  show(receipt: ReceiptSummary, entry: Entry, now: number): ReceiptSummary;
  checkFilter: typeof checkReceiptFilter;
  /** Whether a cursor counts receipts, and does not name one. */
  readonly countsPages: boolean;
  checkPolicy: typeof checkCollectPolicy;
  collectAge(entry: Entry, now: number): number;
  drops(row: ReceiptRow, age: number, policy: CollectPolicy): boolean;
  removes(row: ReceiptRow, age: number, policy: CollectPolicy, now: number): boolean;
  removed(store: BreakableStore, entry: Entry): void;
  says(more: boolean): boolean;
  /** The store and its second connection, from the store that all parts make. */
  connect(store: BreakableStore): { readonly store: ReceiptStore; readonly other: ReceiptStore };
}

const SOUND: Parts = {
  keyText: toolCallReceiptKeyString,
  journalText: toolCallReceiptKeyString,
  claim: applyClaim,
  renew: applyRenew,
  step: applyRenew,
  complete: applyComplete,
  fail: applyFail,
  resolve: applyResolve,
  tell: (granted) => granted,
  journal: () => {},
  append: (steps, name, result) => void (steps.has(name) || steps.set(name, result)),
  pauses: () => false,
  isChange: (before, after) => before.status !== after.status || before.attempts !== after.attempts,
  startsAnew: ({ anew }) => anew === true,
  detail: (detail) => detail,
  selects: ({ tenantId, runId, status }, { key, status: found }) =>
    (tenantId ?? key.tenantId) === key.tenantId && (runId ?? key.runId) === key.runId && (status ?? found) === found,
  show: (receipt) => receipt,
  checkFilter: checkReceiptFilter,
  countsPages: false,
  checkPolicy: checkCollectPolicy,
  collectAge: ({ changedAt }, now) => now - changedAt,
  drops: ({ status, result }, age, policy) =>
    status === 'completed' && result !== null && age >= policy.dropResultsAfterMs,
  removes: ({ status }, age, policy) =>
    status !== 'running' && status !== 'ambiguous' && age >= policy.removeKeysAfterMs,
  removed: (store, { key }) => void store.journals.delete(store.parts.journalText(key)),
  says: (more) => more,
  connect: (store) => ({ store, other: store }),
};

/** What is replaced, given the sound parts. */
export type Break = (sound: Parts) => Partial<Parts>;

/** Both connections, with one verb replaced. */
export function replacing(store: BreakableStore, verbs: Partial<ReceiptStore>) {
  const changed: ReceiptStore = Object.assign(Object.create(store), verbs);
  return { store: changed, other: changed };
}

export const isRunning = (row: ReceiptRow | undefined): row is ReceiptRow => row?.status === 'running';
export const isOver = (row: ReceiptRow | undefined, now: number): row is ReceiptRow =>
  isRunning(row) && row.leaseUntil <= now;
export const isMine = (row: ReceiptRow, claim: ReceiptClaim): boolean =>
  row.attempts === claim.attempt && row.token === claim.token;
export const FENCED = { outcome: { kind: 'fenced' } } as const;

/** Opens a store in which some parts are other than they should be. */
export function openBroken(change: Break): OpenedStore {
  let now = 5_000;
  const store = new BreakableStore({ ...SOUND, ...change(SOUND) }, () => now);
  const advance = (ms: number) => {
    now += ms;
  };
  return { ...store.parts.connect(store), advance };
}

export class BreakableStore implements ReceiptStore {
  readonly durability = 'C';
  readonly entries = new Map<string, Entry>();
  readonly journals = new Map<string, Map<string, string>>();
  #serial = 0;

  constructor(
    readonly parts: Parts,
    readonly now: () => number,
  ) {}

  claim = async (key: ToolCallReceiptKey, request: ClaimRequest): Promise<ClaimOutcome> => {
    const before = this.entry(key)?.row;
    const outcome = await this.#apply('claim', key, (row, now, entry) => this.parts.claim(row, request, now, entry));
    const entry = this.entry(key);
    if (outcome.kind === 'ambiguous' && entry !== undefined) entry.ambiguities++;
    if (outcome.kind !== 'execute' || entry === undefined) return outcome as ClaimOutcome;
    const steps = new Map(this.journals.get(this.parts.journalText(key)));
    return this.parts.tell({ ...outcome, steps, ageMs: this.now() - entry.createdAt }, before, entry);
  };

  renew = (key: ToolCallReceiptKey, claim: ReceiptClaim, leaseMs: number) =>
    this.#apply('renew', key, (row, now) => this.parts.renew(row, claim, leaseMs, now));

  step = async (key: ToolCallReceiptKey, claim: ReceiptClaim, leaseMs: number, name: string, result: string) => {
    const outcome = await this.#apply('step', key, (row, now) => this.parts.step(row, claim, leaseMs, now));
    const id = this.parts.journalText(key);
    if (outcome.kind === 'ok') {
      const steps = this.journals.get(id) ?? new Map<string, string>();
      this.parts.append(steps, name, result);
      this.journals.set(id, steps);
    }
    return outcome;
  };

  complete = (key: ToolCallReceiptKey, claim: ReceiptClaim, result: string) =>
    this.#apply('complete', key, (row) => this.parts.complete(row, claim, result));

  fail = (key: ToolCallReceiptKey, claim: ReceiptClaim, failure: Parameters<ReceiptStore['fail']>[2]) =>
    this.#apply('fail', key, (row) => this.parts.fail(row, claim, failure));

  resolve = (key: ToolCallReceiptKey, attempt: number, verdict: Parameters<ReceiptStore['resolve']>[2]) =>
    this.#apply('resolve', key, (row, now) => this.parts.resolve(row, attempt, verdict, now));

  read = async (key: ToolCallReceiptKey): Promise<ReceiptDetail | undefined> => {
    const entry = this.entry(key);
    return this.parts.detail(entry && this.detailOf(entry), entry, this, key);
  };

  list = async (filter: ReceiptFilter = {}) => {
    const { limit, after, ...wanted } = this.parts.checkFilter(filter);
    const last = Number(after ?? -1);
    if (!Number.isInteger(last)) throw new ReceiptOptionError('after', after, 'a cursor');
    const now = this.now();
    const found = [...this.entries.values()].map((entry) => ({ entry, receipt: this.#summary(entry, now) }));
    const chosen = found.filter(({ entry, receipt }) => this.parts.selects(wanted, receipt, entry));
    const { countsPages } = this.parts;
    const rest = countsPages ? chosen.slice(last + 1) : chosen.filter(({ entry }) => entry.serial > last);
    const page = rest.slice(0, limit);
    const next = countsPages ? last + page.length : page.at(-1)?.entry.serial;
    const receipts = page.map(({ receipt }) => receipt);
    return rest.length > limit ? { receipts, next: String(next) } : { receipts };
  };

  collect = async (policy: CollectPolicy) => {
    const checked = this.parts.checkPolicy(policy);
    const now = this.now();
    const plan = [...this.entries].map(([id, entry]) => ({ id, entry, todo: this.#todo(entry, checked, now) }));
    const due = plan.filter(({ todo }) => todo !== undefined);
    if (this.parts.pauses('collect', undefined, now)) await turns();
    for (const { id, entry, todo } of due.slice(0, checked.limit)) {
      if (todo === 'removes') this.entries.delete(id);
      else entry.row = { ...entry.row, result: null, evidence: null };
      if (todo === 'removes') this.parts.removed(this, entry);
    }
    const keysRemoved = due.slice(0, checked.limit).filter(({ todo }) => todo === 'removes').length;
    const resultsDropped = Math.min(due.length, checked.limit) - keysRemoved;
    return { resultsDropped, keysRemoved, more: this.parts.says(due.length > checked.limit) };
  };

  entry(key: ToolCallReceiptKey): Entry | undefined {
    toolCallReceiptKeyString(key);
    return this.entries.get(this.parts.keyText(key));
  }

  detailOf(entry: Entry): ReceiptDetail {
    const { key, row } = entry;
    const now = this.now();
    const steps = new Map(this.journals.get(this.parts.journalText(key)));
    return detailReceipt(key, row, now, agesOf(entry, now), steps);
  }

  #todo({ row, ...entry }: Entry, policy: CollectPolicy, now: number): 'drops' | 'removes' | undefined {
    const age = this.parts.collectAge({ row, ...entry }, now);
    if (this.parts.removes(row, age, policy, now)) return 'removes';
    return this.parts.drops(row, age, policy) ? 'drops' : undefined;
  }

  #summary(entry: Entry, now: number): ReceiptSummary {
    return this.parts.show(summarizeReceipt(entry.key, entry.row, now, agesOf(entry, now)), entry, now);
  }

  async #apply<Outcome>(
    verb: Verb,
    key: ToolCallReceiptKey,
    transition: (row: ReceiptRow | undefined, now: number, entry?: Entry) => ReceiptTransition<Outcome>,
  ): Promise<Outcome> {
    const entry = this.entry(key);
    const [before, now] = [entry?.row, this.now()];
    const done = transition(before, now, entry);
    if (this.parts.pauses(verb, before, now)) await turns();
    if (done.row !== undefined) this.#write(key, entry, before, done as typeof done & { row: ReceiptRow });
    return done.outcome;
  }

  #write(
    key: ToolCallReceiptKey,
    entry: Entry | undefined,
    before: ReceiptRow | undefined,
    done: ReceiptTransition<unknown> & { row: ReceiptRow },
  ): void {
    const { row } = done;
    const now = this.now();
    if (entry === undefined) {
      const fresh = { key: { ...key }, serial: this.#serial++, createdAt: now, changedAt: now, row, ambiguities: 0 };
      this.entries.set(this.parts.keyText(key), fresh);
      return;
    }
    if (this.parts.isChange(entry.row, row)) entry.changedAt = now;
    if (this.parts.startsAnew(done)) entry.createdAt = now;
    entry.row = row;
    const steps = this.journals.get(this.parts.journalText(key));
    if (steps !== undefined) this.parts.journal(steps, before, row);
  }
}

function agesOf({ createdAt, changedAt }: Entry, now: number) {
  return { ageMs: now - createdAt, sinceChangeMs: now - changedAt };
}

/** Lets whatever else was called in this moment go first. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await undefined;
}
