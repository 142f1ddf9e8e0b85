/** Receipts in a SQLite file that many processes of one machine share. */

import {
  type ClaimOutcome,
  type ClaimRequest,
  type CollectOutcome,
  type CollectPolicy,
  type DurabilityClass,
  type FencedOutcome,
  type ReceiptClaim,
  type ReceiptDetail,
  type ReceiptFailure,
  type ReceiptFilter,
  type ReceiptPage,
  type ReceiptStore,
  type ReceiptVerdict,
  type SettleOutcome,
  type ToolCallReceiptKey,
  toolCallReceiptKeyString,
} from '@holdfast/receipts';
import {
  applyClaim,
  applyComplete,
  applyFail,
  applyRenew,
  applyResolve,
  type ClaimAnswer,
  checkCollectPolicy,
  decodeStoredText,
  detailReceipt,
  encodeStoredText,
  type ReceiptRow,
  type ReceiptTransition,
} from '@holdfast/receipts/store';
import type { LeaseClock } from './boot-clock.js';
import {
  encodeNullable,
  type FoundRecord,
  firstColumns,
  type KeyColumns,
  type KeyRecord,
  keyColumns,
  keyOf,
  type ReceiptRecord,
  rowColumns,
  rowOf,
} from './columns.js';
import type { Connection } from './connection.js';
import { listReceipts } from './list-receipts.js';
import { prepareStatements, type Statements } from './statements.js';
import { alone, immediately, refuseOpenTransaction } from './transaction.js';

type Transition<Outcome> = (row: ReceiptRow | undefined, now: number) => ReceiptTransition<Outcome>;

interface Written<Outcome> {
  readonly outcome: Outcome;
  /** From when the receipt's age counts, on the calendar. */
  readonly createdAt: number;
  readonly today: number;
}

/**
 * Every write is one IMMEDIATE transaction that reads the row, applies the shared transition and writes the result; a first
 * claim and the end of an attempt are one statement, which changes nothing where it would take more than that.
 */
export class SqliteReceiptStore implements ReceiptStore {
  readonly durability: DurabilityClass;
  readonly #database: Connection;
  readonly #clock: LeaseClock;
  readonly #calendar: () => number;
  readonly #sql: Statements;

  constructor(database: Connection, durability: DurabilityClass, clock: LeaseClock, calendar: () => number) {
    this.durability = durability;
    this.#database = database;
    this.#clock = clock;
    this.#calendar = () => Math.floor(calendar());
    this.#sql = prepareStatements(database);
  }

  async claim(key: ToolCallReceiptKey, request: ClaimRequest): Promise<ClaimOutcome> {
    const columns = checkedColumns(key);
    const decide: Transition<ClaimAnswer> = (row, now) => applyClaim(row, request, now);
    refuseOpenTransaction(this.#database);
    // Most claims of a busy key write nothing, and so need not queue for the write lock.
    // The clock comes first: a renewal between the two readings must not make a live lease look expired.
    const now = this.#clock.now();
    const found = this.#find(columns);
    const seen = decide(found?.row, now);
    if (seen.row === undefined && seen.outcome.kind !== 'execute') return seen.outcome;
    const { row } = seen;
    if (found === undefined && row && alone(this.#database, () => this.#insert(columns, row, this.#calendar()))) {
      return { kind: 'execute', attempt: row.attempts, steps: new Map(), ageMs: 0 };
    }
    return immediately(this.#database, () => {
      const { outcome, createdAt, today } = this.#write(columns, decide);
      if (outcome.kind !== 'execute') return outcome;
      return { ...outcome, steps: this.#steps(columns), ageMs: today - createdAt };
    });
  }

  async renew(key: ToolCallReceiptKey, claim: ReceiptClaim, leaseMs: number): Promise<FencedOutcome> {
    return this.#apply(key, (row, now) => applyRenew(row, claim, leaseMs, now));
  }

  async step(
    key: ToolCallReceiptKey,
    claim: ReceiptClaim,
    leaseMs: number,
    name: string,
    result: string,
  ): Promise<FencedOutcome> {
    const columns = checkedColumns(key);
    return immediately(this.#database, () => {
      const { outcome } = this.#write(columns, (row, now) => applyRenew(row, claim, leaseMs, now));
      if (outcome.kind === 'ok') this.#sql.addStep.run(...columns, encodeStoredText(name), encodeStoredText(result));
      return outcome;
    });
  }

  async complete(key: ToolCallReceiptKey, claim: ReceiptClaim, result: string): Promise<SettleOutcome> {
    return this.#settle(key, claim, { status: 'completed', result, error: null }, (row) =>
      applyComplete(row, claim, result),
    );
  }

  async fail(key: ToolCallReceiptKey, claim: ReceiptClaim, failure: ReceiptFailure): Promise<SettleOutcome> {
    const { kind, error } = failure;
    const status = ({ clean: 'failed', unknown: 'ambiguous', terminal: 'rejected' } as const)[kind];
    return this.#settle(key, claim, { status, result: null, error }, (row) => applyFail(row, claim, failure));
  }

  async resolve(key: ToolCallReceiptKey, attempt: number, verdict: ReceiptVerdict): Promise<FencedOutcome> {
    return this.#apply(key, (row, now) => applyResolve(row, attempt, verdict, now));
  }

  async read(key: ToolCallReceiptKey): Promise<ReceiptDetail | undefined> {
    const columns = checkedColumns(key);
    // The clock comes first, as for a claim.
    const now = this.#clock.now();
    const record = this.#sql.read.get(...columns) as (ReceiptRecord & { readonly journal: string }) | undefined;
    if (record === undefined) return undefined;
    const today = this.#calendar();
    const ages = { ageMs: today - Number(record.created_at), sinceChangeMs: today - Number(record.changed_at) };
    return detailReceipt(keyOf(record), rowOf(record, this.#clock), now, ages, journalOf(record.journal));
  }

  async list(filter: ReceiptFilter = {}): Promise<ReceiptPage> {
    return listReceipts(this.#database, filter, this.#clock, this.#calendar);
  }

  async collect(policy: CollectPolicy): Promise<CollectOutcome> {
    const { dropResultsAfterMs, removeKeysAfterMs, limit } = checkCollectPolicy(policy);
    const today = this.#calendar();
    const [dropBefore, removeBefore] = [today - dropResultsAfterMs, today - removeKeysAfterMs];
    const bounds = [dropBefore, dropBefore, removeBefore, removeBefore, removeBefore];
    const due = this.#sql.collectable.all(...bounds, limit + 1) as KeyRecord[];
    const more = due.length > limit;
    if (due.length === 0) return { resultsDropped: 0, keysRemoved: 0, more };
    return immediately(this.#database, () => {
      let resultsDropped = 0;
      let keysRemoved = 0;
      for (const record of due.slice(0, limit)) {
        const columns: KeyColumns = [record.tenant_id, record.run_id, record.tool_name, record.args_hash];
        const removed = Number(this.#sql.removeKey.run(...columns, removeBefore).changes);
        const dropped = removed === 1 ? 0 : Number(this.#sql.dropResult.run(...columns, dropBefore).changes);
        if (removed + dropped === 1) this.#sql.removeSteps.run(...columns);
        keysRemoved += removed;
        resultsDropped += dropped;
      }
      return { resultsDropped, keysRemoved, more };
    });
  }

  /** One statement while the attempt holds the receipt; what else the answer may be is read and decided. */
  #settle(
    key: ToolCallReceiptKey,
    { attempt, token }: ReceiptClaim,
    { status, result, error }: Pick<ReceiptRow, 'status' | 'result' | 'error'>,
    transition: Transition<SettleOutcome>,
  ): SettleOutcome {
    transition(undefined, 0);
    const columns = checkedColumns(key);
    const ending = [status, encodeNullable(result), encodeNullable(error), this.#calendar()];
    const holder = [...columns, attempt, encodeStoredText(token)];
    const { changes } = alone(this.#database, () => this.#sql.settle.run(...ending, ...holder));
    return Number(changes) === 1 ? { kind: 'ok' } : this.#apply(key, transition);
  }

  #apply<Outcome>(key: ToolCallReceiptKey, transition: Transition<Outcome>): Outcome {
    const columns = checkedColumns(key);
    return immediately(this.#database, () => this.#write(columns, transition).outcome);
  }

  /** Only under the write lock: between the reading of the row and of the clock and the write, nobody else writes. */
  #write<Outcome>(columns: KeyColumns, transition: Transition<Outcome>): Written<Outcome> {
    const found = this.#find(columns);
    const { outcome, row, anew } = transition(found?.row, this.#clock.now());
    const today = this.#calendar();
    const createdAt = found === undefined || anew ? today : Number(found.record.created_at);
    if (row === undefined) return { outcome, createdAt, today };
    if (found === undefined) {
      this.#insert(columns, row, today);
    } else {
      const moved = row.status !== found.row.status || row.attempts !== found.row.attempts;
      const changedAt = moved ? today : Number(found.record.changed_at);
      this.#sql.update.run(...rowColumns(row, this.#clock), createdAt, changedAt, ...columns);
    }
    return { outcome, createdAt, today };
  }

  /** Whether the row is in: not when somebody else has claimed the key. */
  #insert(columns: KeyColumns, row: ReceiptRow, today: number): boolean {
    const { changes } = this.#sql.insert.run(...firstColumns(row, this.#clock), today, today, ...columns);
    return Number(changes) === 1;
  }

  #find(columns: KeyColumns): { readonly record: FoundRecord; readonly row: ReceiptRow } | undefined {
    const record = this.#sql.find(...columns);
    return record === undefined ? undefined : { record, row: rowOf(record, this.#clock) };
  }

  #steps(columns: KeyColumns): ReadonlyMap<string, string> {
    const records = this.#sql.steps.all(...columns) as { readonly name: string; readonly result: string }[];
    return new Map(records.map(({ name, result }) => [decodeStoredText(name), decodeStoredText(result)]));
  }
}

function checkedColumns(key: ToolCallReceiptKey): KeyColumns {
  toolCallReceiptKeyString(key);
  return keyColumns(key);
}

/** A journal as one column: pairs of name and result. */
function journalOf(column: string): ReadonlyMap<string, string> {
  const entries = JSON.parse(column) as [string, string][];
  return new Map(entries.map(([name, result]) => [decodeStoredText(name), decodeStoredText(result)]));
}
