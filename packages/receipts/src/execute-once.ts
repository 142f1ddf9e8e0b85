/** Running a side effect at most once, however often it is asked for. */

import { ReceiptOptionError, VolatileStoreError } from './execute-once-errors.js';
import type { Effect, ExecuteOnceOptions } from './execute-once-options.js';
import type { ExecuteOnceOutcome } from './execute-once-outcome.js';
import { Acquisition } from './internal/acquire.js';
import { Attempt } from './internal/attempt.js';
import { settingsOf } from './internal/settings.js';
import { copyReceiptKey, type ToolCallReceiptKey } from './receipt-key.js';
import type { ReceiptStore } from './receipt-store.js';

/**
 * Runs `effect` unless the receipt under `key` says that it has happened, is happening, or may have happened. Claims the
 * key, runs the effect under a lease that is renewed at a third of its length, and records how it ended; every write is
 * fenced, and a write whose answer was lost is sent again.
 *
 * One call runs the effect at most once and never repeats it by itself: a failed effect runs again when the host calls
 * again. What the effect throws becomes the outcome `failed`, classified by `classifyError`, and is not rethrown.
 *
 * @throws {ReceiptKeyError} `ERR_HOLDFAST_RECEIPT_KEY` when a part of the key is not a string.
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an unusable store or option, an answer of a hook, or a
 * recorded result that `deserialize` cannot read.
 * @throws {VolatileStoreError} `ERR_HOLDFAST_VOLATILE_STORE` for an opaque effect on a store that is not of class A or B,
 * without `allowVolatile`.
 * @throws {ReceiptStoreUnavailableError} `ERR_HOLDFAST_RECEIPT_STORE_UNAVAILABLE` when the store does not answer a claim
 * or a resolve; a refusal of the store, which is a Holdfast error, is thrown as it is. Nothing was executed then.
 * @throws {ReceiptStoreAnswerError} `ERR_HOLDFAST_RECEIPT_STORE_ANSWER` when the store answers a claim or a resolve with
 * what its contract does not know. Nothing was executed then.
 */
export async function executeOnce<T>(
  store: ReceiptStore,
  key: ToolCallReceiptKey,
  effect: Effect<T>,
  options: ExecuteOnceOptions<T> = {},
): Promise<ExecuteOnceOutcome<T>> {
  if (typeof store?.claim !== 'function') {
    throw new ReceiptOptionError('store', store, 'a receipt store, and not a promise of one: await its opening');
  }
  // The caller may use its object for the next key while this call still has to find its receipt.
  const ownKey = copyReceiptKey(key);
  if (typeof effect !== 'function') throw new ReceiptOptionError('effect', effect, 'a function that runs the effect');
  const settings = settingsOf(options);
  const { durability } = store;
  const isVolatile = durability !== 'A' && durability !== 'B';
  if (settings.effect === 'opaque' && isVolatile && !settings.allowVolatile) throw new VolatileStoreError(durability);
  const acquired = await new Acquisition(store, ownKey, settings).run();
  if (acquired.kind !== 'granted') return acquired;
  return new Attempt(store, ownKey, acquired, settings).run(effect);
}
