/** An effect in the host's own database: it and its receipt commit together, or neither does. */

import {
  type Effect,
  type ExecuteOnceOptions,
  type ExecuteOnceOutcome,
  executeOnce,
  type ReceiptStore,
  type ToolCallReceiptKey,
} from '@holdfast/receipts';
import { PostgresTransactionError } from './postgres-errors.js';
import { type Session, sqlState } from './session.js';

/** Options of `executeInTransaction`: those of `executeOnce`, without what only a lone attempt needs. */
export type ExecuteInTransactionOptions<T> = Omit<
  ExecuteOnceOptions<T>,
  'allowVolatile' | 'maxResends' | 'resendDelayMs'
>;

/** What became of the call. An effect that throws, and an error of the database, reject instead. */
export type ExecuteInTransactionOutcome<T> = Exclude<
  ExecuteOnceOutcome<T>,
  { readonly kind: 'failed' | 'lost' | 'unrecorded' }
>;

/** The savepoints that are open on each client, innermost last. */
const openSavepoints = new WeakMap<object, string[]>();
let serial = 0;

/**
 * Runs `executeOnce` on `store`, whose verbs go through `session` in a transaction of the host, inside a savepoint. An
 * effect that throws leaves nothing behind, neither of itself nor of its receipt.
 */
export async function executeInTransaction<T>(
  store: ReceiptStore,
  session: Session,
  key: ToolCallReceiptKey,
  effect: Effect<T>,
  options: ExecuteInTransactionOptions<T>,
): Promise<ExecuteInTransactionOutcome<T>> {
  const savepoint = new Savepoint(session);
  await savepoint.begin();
  try {
    let begun = false;
    const begins: Effect<T> = (context) => {
      begun = true;
      return effect(context);
    };
    const own = locked(store, () => begun);
    // What is no function is refused by name.
    const asked = typeof effect === 'function' ? begins : effect;
    const outcome = await executeOnce(own, key, asked, { ...options, maxResends: 0 });
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'unrecorded') throw unrecordedError(outcome.cause);
    if (outcome.kind === 'lost') throw new PostgresTransactionError('ended');
    await savepoint.release();
    return outcome;
  } catch (error) {
    await savepoint.rollBack();
    throw causeOf(error);
  } finally {
    savepoint.forget();
  }
}

/**
 * The claimed row is locked until the transaction ends, so nobody can take it over and no lease has to be renewed. The
 * failure of an effect is not recorded, since the savepoint takes the attempt back; an attempt that is given back before
 * its effect began is, since its outcome commits.
 */
function locked(store: ReceiptStore, hasBegun: () => boolean): ReceiptStore {
  return {
    durability: store.durability,
    claim: (key, request) => store.claim(key, request),
    renew: async () => ({ kind: 'ok' }),
    step: (key, claim, leaseMs, name, result) => store.step(key, claim, leaseMs, name, result),
    complete: (key, claim, result) => store.complete(key, claim, result),
    fail: async (key, claim, failure) => (hasBegun() ? { kind: 'ok' } : store.fail(key, claim, failure)),
    resolve: (key, attempt, verdict) => store.resolve(key, attempt, verdict),
    read: (key) => store.read(key),
    list: (filter) => store.list(filter),
    collect: (policy) => store.collect(policy),
  };
}

/** One of several in a client's transaction. They end in the reverse order of their beginning. */
class Savepoint {
  readonly #session: Session;
  readonly #name = `holdfast_receipt_${++serial}`;
  readonly #siblings: string[];

  constructor(session: Session) {
    this.#session = session;
    this.#siblings = openSavepoints.get(session.client) ?? [];
    openSavepoints.set(session.client, this.#siblings);
  }

  async begin(): Promise<void> {
    await this.#session.read(`SAVEPOINT ${this.#name}`);
    this.#siblings.push(this.#name);
  }

  async release(): Promise<void> {
    if (this.#siblings.at(-1) !== this.#name) throw new PostgresTransactionError('overlapping');
    try {
      await this.#session.read(`RELEASE SAVEPOINT ${this.#name}`);
    } catch (error) {
      throw this.#isGone(error) ? new PostgresTransactionError('ended', error) : error;
    }
  }

  /** Best effort: a transaction that is gone has nothing to take back, and the error that led here is the one to report. */
  async rollBack(): Promise<void> {
    const back = `ROLLBACK TO SAVEPOINT ${this.#name}; RELEASE SAVEPOINT ${this.#name}`;
    await this.#session.command(back).catch(() => undefined);
  }

  forget(): void {
    const place = this.#siblings.indexOf(this.#name);
    if (place >= 0) this.#siblings.splice(place, 1);
  }

  #isGone(error: unknown): boolean {
    return sqlState(error) === '3B001' || (error instanceof PostgresTransactionError && error.fault === 'none');
  }
}

/** What kept the receipt of an effect that returned from being written. */
function unrecordedError(cause: unknown): unknown {
  const failed = cause instanceof PostgresTransactionError && cause.fault === 'failed';
  return failed ? new PostgresTransactionError('caught', cause) : cause;
}

/** The host retries by the code of the driver's error. */
function causeOf(error: unknown): unknown {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return code === 'ERR_HOLDFAST_RECEIPT_STORE_UNAVAILABLE' ? cause : error;
}
