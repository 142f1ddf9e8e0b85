/** What keeps the store from opening or answering. */

import { HoldfastError } from '@holdfast/kernel';

/** The server evicts keys when its memory is full, and with a receipt it would forget that an effect has happened. */
export class RedisEvictionError extends HoldfastError {
  override readonly name = 'RedisEvictionError';
  readonly code = 'ERR_HOLDFAST_REDIS_EVICTION';
  /** The server's `maxmemory-policy`; absent when it does not say. */
  readonly policy: string | undefined;

  constructor(policy: string | undefined) {
    super(
      policy === undefined
        ? 'Receipts need a Redis that never evicts keys, and this one tells its maxmemory-policy neither in INFO memory nor ' +
            'by CONFIG GET. Let the user run INFO, or set assumeNoEviction if the policy is noeviction.'
        : `Receipts need a Redis that never evicts keys, and this one has a memory limit and maxmemory-policy ${policy}. Set ` +
            'it to noeviction, lift the limit, or keep receipts on a server of their own.',
    );
    this.policy = policy;
  }
}

/** The receipts under this prefix were written by a newer version of this package, or there are none. */
export class RedisSchemaError extends HoldfastError {
  override readonly name = 'RedisSchemaError';
  readonly code = 'ERR_HOLDFAST_REDIS_SCHEMA';
  /** The version under this prefix; absent when no store has been opened there. */
  readonly found: string | undefined;
  readonly supported: number;

  constructor(found: string | undefined, supported: number) {
    super(
      found === undefined
        ? "There are no receipts under this prefix. Open the store with migrations: 'apply', or check the prefix."
        : `The receipts here have format ${found}, and this package knows formats up to ${supported}. Upgrade ` +
            '@holdfast/receipts-redis; nothing was changed.',
    );
    this.found = found;
    this.supported = supported;
  }
}

/** Redis did not answer in time. The verb may or may not have been applied, and can be sent again. */
export class RedisTimeoutError extends HoldfastError {
  override readonly name = 'RedisTimeoutError';
  readonly code = 'ERR_HOLDFAST_REDIS_TIMEOUT';
  /** `executeOnce` sends the request again. */
  readonly mayBeApplied = true;
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`Redis did not answer within ${timeoutMs} ms. The request may still be applied; sending it again is safe.`);
    this.timeoutMs = timeoutMs;
  }
}

/** Redis gave an answer that the store's scripts do not give. */
export class RedisReplyError extends HoldfastError {
  override readonly name = 'RedisReplyError';
  readonly code = 'ERR_HOLDFAST_REDIS_REPLY';

  constructor(expected: string) {
    super(
      `Redis was expected to answer with ${expected}, and did not. Give the store a client that is in no transaction and ` +
        'whose replies nothing rewrites.',
    );
  }
}
