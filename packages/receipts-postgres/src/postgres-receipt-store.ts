/** Receipts in a PostgreSQL database that any number of processes share. */

import {
  type ClaimOutcome,
  type ClaimRequest,
  type CollectOutcome,
  type CollectPolicy,
  type DurabilityClass,
  type Effect,
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
  checkClaimRequest,
  decodeStoredText,
  encodeStoredText,
  type ReceiptRow,
  type ReceiptTransition,
} from '@holdfast/receipts/store';
import { parseClaimAnswer } from './claim-function.js';
import { collectReceipts } from './collect-receipts.js';
import { completedRow, exactMs, type KeyColumns, keyColumns, type RowRecord, rowOf } from './columns.js';
import {
  type ExecuteInTransactionOptions,
  type ExecuteInTransactionOutcome,
  executeInTransaction,
} from './execute-in-transaction.js';
import { listReceipts } from './list-receipts.js';
import { type PostgresClient, requireClient } from './postgres-client.js';
import { PostgresContentionError } from './postgres-errors.js';
import { readReceipt } from './read-receipt.js';
import { Session, type SessionSettings, sqlState } from './session.js';
import type { SqlNames } from './sql-names.js';
import type { Statement, Statements } from './statements.js';

/** Looks at one receipt that others keep changing, before the verb gives up. */
const MAX_LOOKS = 50;

const FENCED: FencedOutcome = { kind: 'fenced' };

/** What became of a statement: its answer, or the news that somebody else wrote in between. */
type Look<Outcome> = Outcome | 'raced';

/** The answer of a function in the database. */
interface AnswerRecord {
  readonly answer: string | null;
}

/** What ends an attempt, in columns. */
type Ending = Pick<ReceiptRow, 'status' | 'result' | 'error'>;

/** A receipt store that can also take part in a transaction of the host. */
export interface PostgresReceiptStore extends ReceiptStore {
  /**
   * Runs `effect` at most once, like `executeOnce`, in the transaction that the host has begun on `client` and that it
   * commits or rolls back: what the effect writes through `client` and its receipt become visible together, or vanish
   * together. So the effect needs no reconciliation, but only what it does in this database is covered.
   *
   * The same call in another transaction waits until this one ends, and then replays its result, or runs if it rolled
   * back. It waits within the host's own `lock_timeout`; claims outside of transactions answer `wait` after theirs.
   *
   * Errors of the database reject as the driver's own, so that a host that retries on `40001` or `40P01` does. What the
   * effect throws rejects too. Either takes back what the effect wrote, with a savepoint; the transaction goes on.
   *
   * @throws {PostgresTransactionError} `ERR_HOLDFAST_POSTGRES_TRANSACTION` when no transaction is open on the client, when
   * it has failed, when the effect ends it or goes on after an error of the database, or when two calls overlap on one client.
   */
  executeInTransaction<T>(
    client: PostgresClient,
    key: ToolCallReceiptKey,
    effect: Effect<T>,
    options?: ExecuteInTransactionOptions<T>,
  ): Promise<ExecuteInTransactionOutcome<T>>;
}

/** What a store is made of. */
export interface StoreParts {
  readonly client: PostgresClient;
  readonly settings: SessionSettings;
  readonly names: SqlNames;
  readonly statements: Statements;
  readonly durability: DurabilityClass;
  /** Milliseconds that a claim waits for a transaction of somebody. */
  readonly lockTimeoutMs: number;
}

/**
 * Every write is one statement whose condition the server checks on the newest version of the row. A statement that had
 * nothing to write gives the row instead, and the shared transition says what that means; where it would have written,
 * somebody came in between, and the statement is sent again.
 */
export class SqlReceiptStore implements PostgresReceiptStore {
  readonly durability: DurabilityClass;
  readonly #parts: StoreParts;
  readonly #session: Session;
  readonly #sql: Statements;
  /** Claims end much as the one before them did. A wrong guess only costs the server some time. */
  #expectsFirst = true;

  constructor(parts: StoreParts) {
    this.durability = parts.durability;
    this.#parts = parts;
    this.#session = new Session(parts.client, parts.settings);
    this.#sql = parts.statements;
  }

  async claim(key: ToolCallReceiptKey, request: ClaimRequest): Promise<ClaimOutcome> {
    const columns = checkedColumns(key);
    checkClaimRequest(request);
    // The claim that writes first would wait where somebody is changing a receipt, and the host's transaction with it.
    const statement = this.#expectsFirst && !this.#isWithin ? this.#sql.claim_first : this.#sql.claim;
    try {
      const outcome = await this.#untilDecided(() => this.#claimOnce(statement, columns, request));
      this.#expectsFirst = outcome.kind === 'execute';
      return outcome;
    } catch (error) {
      this.#expectsFirst = false;
      if (this.#isWithin || sqlState(error) !== '55P03') throw error;
      return this.#blocked(columns, request);
    }
  }

  async renew(key: ToolCallReceiptKey, claim: ReceiptClaim, leaseMs: number): Promise<FencedOutcome> {
    const columns = checkedColumns(key);
    applyRenew(undefined, claim, leaseMs, 0);
    return this.#write(this.#sql.renew, [...columns, ...claimColumns(claim), String(leaseMs)]);
  }

  async step(
    key: ToolCallReceiptKey,
    claim: ReceiptClaim,
    leaseMs: number,
    name: string,
    result: string,
  ): Promise<FencedOutcome> {
    const columns = checkedColumns(key);
    applyRenew(undefined, claim, leaseMs, 0);
    const entry = [encodeStoredText(name), encodeStoredText(result)];
    return this.#write(this.#sql.step, [...columns, ...claimColumns(claim), String(leaseMs), ...entry]);
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
    const columns = checkedColumns(key);
    applyResolve(undefined, attempt, verdict, 0);
    const settled: readonly (string | null)[] =
      verdict.kind === 'happened'
        ? ['completed', encodeStoredText(verdict.result), null]
        : verdict.kind === 'give-up'
          ? ['rejected', null, encodeStoredText(verdict.error)]
          : ['failed', null, null];
    return this.#write(this.#sql.resolve, [...columns, attemptText(attempt), ...settled]);
  }

  async read(key: ToolCallReceiptKey): Promise<ReceiptDetail | undefined> {
    return readReceipt(this.#session, this.#sql.read, key, checkedColumns(key));
  }

  async list(filter: ReceiptFilter = {}): Promise<ReceiptPage> {
    return listReceipts(this.#session, this.#parts.names, filter);
  }

  async collect(policy: CollectPolicy): Promise<CollectOutcome> {
    return collectReceipts(this.#session, this.#sql.collect, policy);
  }

  async executeInTransaction<T>(
    client: PostgresClient,
    key: ToolCallReceiptKey,
    effect: Effect<T>,
    options: ExecuteInTransactionOptions<T> = {},
  ): Promise<ExecuteInTransactionOutcome<T>> {
    requireClient(client);
    const { preparedStatements } = this.#parts.settings;
    const settings: SessionSettings = { preparedStatements, transactions: 'within' };
    const within = new SqlReceiptStore({ ...this.#parts, client, settings });
    return executeInTransaction(within, new Session(client, settings), key, effect, options);
  }

  get #isWithin(): boolean {
    return this.#parts.settings.transactions === 'within';
  }

  async #claimOnce(statement: Statement, columns: KeyColumns, request: ClaimRequest): Promise<Look<ClaimOutcome>> {
    const { effect, token, leaseMs, maxAttempts } = request;
    const lockTimeout = this.#isWithin ? null : String(this.#parts.lockTimeoutMs);
    const values = [...columns, effect, encodeStoredText(token), String(leaseMs), String(maxAttempts), lockTimeout];
    const [record] = await this.#session.run<AnswerRecord>(statement, values);
    if (typeof record?.answer !== 'string') return 'raced';
    const answer = parseClaimAnswer(record.answer);
    if (answer.kind === 'granted') {
      const steps = new Map(answer.steps.map(([name, result]) => [decodeStoredText(name), decodeStoredText(result)]));
      return { kind: 'execute', attempt: answer.attempt, steps, ageMs: exactMs(answer.ageMs) };
    }
    const row = answer.kind === 'row' ? rowOf(answer.row) : completedRow(answer.attempt, answer.result);
    const { outcome } = applyClaim(row, request, 0);
    return outcome.kind === 'execute' ? 'raced' : outcome;
  }

  /** Somebody's open transaction holds the key. What it will leave is not known; what was there before is. */
  async #blocked(columns: KeyColumns, request: ClaimRequest): Promise<ClaimOutcome> {
    const [record] = await this.#session.run<{ readonly receipt: string }>(this.#sql.look, columns);
    const row = record && rowOf(JSON.parse(record.receipt) as RowRecord);
    const { outcome } = applyClaim(row, request, 0);
    // The transaction has ended meanwhile. The row does not say what the result is.
    if (outcome.kind === 'replay') return this.#untilDecided(() => this.#claimOnce(this.#sql.claim, columns, request));
    if (outcome.kind !== 'execute') return outcome;
    const reason = 'A transaction that has not ended holds this call.';
    return { kind: 'wait', attempt: outcome.attempt, remainingMs: this.#parts.lockTimeoutMs, reason };
  }

  async #settle(
    key: ToolCallReceiptKey,
    claim: ReceiptClaim,
    { status, result, error }: Ending,
    transition: (row: ReceiptRow | undefined) => ReceiptTransition<SettleOutcome>,
  ): Promise<SettleOutcome> {
    const columns = checkedColumns(key);
    transition(undefined);
    const deferred = String(this.durability === 'B');
    const ending = [status, encodeNullable(result), encodeNullable(error), deferred];
    const values = [...columns, ...claimColumns(claim), ...ending];
    return this.#untilDecided<SettleOutcome>(async () => {
      if (await this.#session.wrote(this.#sql.end, values)) return { kind: 'ok' };
      const [record] = await this.#session.run<AnswerRecord>(this.#sql.settle, values);
      const answer = record?.answer ?? null;
      if (answer === 'ok') return { kind: 'ok' };
      if (answer === 'kept' || answer === null) return FENCED;
      const { outcome, row } = transition(rowOf(JSON.parse(answer) as RowRecord));
      return row === undefined ? outcome : 'raced';
    });
  }

  async #write(statement: Statement, values: readonly (string | null)[]): Promise<FencedOutcome> {
    return this.#untilDecided<FencedOutcome>(async () => {
      const { length } = await this.#session.run(statement, values);
      return length === 0 ? FENCED : { kind: 'ok' };
    });
  }

  /** Within a transaction of the host an error ends that transaction; alone, a lost race for the row is only a race. */
  async #untilDecided<Outcome>(look: () => Promise<Look<Outcome>>): Promise<Outcome> {
    let cause: unknown;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      try {
        const outcome = await look();
        if (outcome !== 'raced') return outcome;
      } catch (error) {
        if (this.#isWithin || !isLostRace(error)) throw error;
        cause = error;
      }
    }
    throw new PostgresContentionError(MAX_LOOKS, cause);
  }
}

/** Only where the host makes all its transactions stricter than READ COMMITTED, or where rows are locked crosswise. */
function isLostRace(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

function checkedColumns(key: ToolCallReceiptKey): KeyColumns {
  toolCallReceiptKeyString(key);
  return keyColumns(key);
}

function claimColumns({ attempt, token }: ReceiptClaim): [string, string] {
  return [attemptText(attempt), encodeStoredText(token)];
}

const MAX_ATTEMPT = 2_147_483_647;

/** A number that is no attempt's becomes one that never was granted. */
function attemptText(attempt: number): string {
  return String(Number.isInteger(attempt) && Math.abs(attempt) < MAX_ATTEMPT ? attempt : MAX_ATTEMPT);
}

function encodeNullable(text: string | null): string | null {
  return text === null ? null : encodeStoredText(text);
}
