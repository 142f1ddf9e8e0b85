/** Errors that an effect throws to say what happened, and those that `executeOnce` throws. */

import { describeValue, HoldfastError } from '@holdfast/kernel';
import type { ReceiptStore } from './receipt-store.js';

/** An effect throws this when it certainly did not happen: the receipt fails clean and the next call executes. */
export class EffectDidNotHappenError extends HoldfastError {
  override readonly name = 'EffectDidNotHappenError';
  readonly code = 'ERR_HOLDFAST_EFFECT_DID_NOT_HAPPEN';
}

/** An effect throws this when it did not happen and never will: every later call is rejected with its message. */
export class EffectRejectedError extends HoldfastError {
  override readonly name = 'EffectRejectedError';
  readonly code = 'ERR_HOLDFAST_EFFECT_REJECTED';
}

const LOST_MESSAGES = {
  fenced: 'no longer holds this call: another attempt or a human has taken it over. Stop here.',
  expired: 'has no lease any more: it ran out before a renewal was confirmed. Stop here: the next attempt may begin.',
  'key-expired':
    'has outlived its idempotency key: the provider may forget it now, and take a repeated call for a new one. Stop here.',
} as const;

/** The attempt may not go on: another one took over, its lease ran out unrenewed, or its idempotency key did. */
export class LeaseLostError extends HoldfastError {
  override readonly name = 'LeaseLostError';
  readonly code = 'ERR_HOLDFAST_LEASE_LOST';
  readonly attempt: number;
  /**
   * `fenced`: the store said so. `expired`: the deadline passed before a renewal was confirmed. `key-expired`: the
   * `providerKeyWindowMs` option says that the provider may forget the idempotency key now.
   */
  readonly reason: keyof typeof LOST_MESSAGES;

  constructor(attempt: number, reason: keyof typeof LOST_MESSAGES) {
    super(`Attempt ${attempt} ${LOST_MESSAGES[reason]}`);
    this.attempt = attempt;
    this.reason = reason;
  }
}

/** Why a journal step cannot go on. */
export type EffectStepReason = 'repeated' | 'late' | 'too-many' | 'not-kept' | 'not-recorded';

const STEP_MESSAGES: Readonly<Record<EffectStepReason, string>> = {
  repeated: 'was already used in this attempt. Give each step its own name, for instance with an index.',
  late: 'was started after its effect had returned or thrown. Await every step inside the effect.',
  'too-many':
    'would be one journal entry more than maxSteps allows for this call. Do more in one step, or raise maxSteps.',
  'not-kept':
    'has happened in an earlier attempt, but its value could not be kept, so this attempt cannot go on from it. Return ' +
    'less from the step, or pass the offload option.',
  'not-recorded': 'has happened, but the store could not be told. The cause is its last error.',
};

/**
 * A journal step cannot be run or resumed. One that is `repeated`, `late` or `too-many` has not run; one that is `not-kept` or
 * `not-recorded` has, and by default makes its effect's failure `unknown`.
 */
export class EffectStepError extends HoldfastError {
  override readonly name = 'EffectStepError';
  readonly code = 'ERR_HOLDFAST_EFFECT_STEP';
  readonly step: string;
  readonly reason: EffectStepReason;

  constructor(step: string, reason: EffectStepReason, cause?: unknown) {
    super(`Step ${describeValue(step)} ${STEP_MESSAGES[reason]}`, cause === undefined ? undefined : { cause });
    this.step = step;
    this.reason = reason;
  }
}

/** An option, a claim or a policy is not usable. `field` names it. */
export class ReceiptOptionError extends HoldfastError {
  override readonly name = 'ReceiptOptionError';
  readonly code = 'ERR_HOLDFAST_RECEIPT_OPTION';
  readonly field: string;
  readonly value: unknown;

  constructor(field: string, value: unknown, expected: string, cause?: unknown) {
    super(`${field} must be ${expected}, and is ${describeValue(value)}.`, cause === undefined ? undefined : { cause });
    this.field = field;
    this.value = value;
  }
}

/** An opaque effect was about to run on a store that may forget its receipts. */
export class VolatileStoreError extends HoldfastError {
  override readonly name = 'VolatileStoreError';
  readonly code = 'ERR_HOLDFAST_VOLATILE_STORE';

  /** `durability` is what the store says of itself. */
  constructor(durability: unknown = 'C') {
    super(
      `This store is of durability class ${describeValue(durability)}, not "A" or "B": a crash may lose the receipt, and ` +
        'an opaque effect would run again. Use a durable store, or pass allowVolatile: true if a repeat is acceptable.',
    );
  }
}

/** The verbs of a {@link ReceiptStore} that `executeOnce` uses and whose answers decide how a call ends. */
export type ReceiptStoreVerb = keyof Pick<ReceiptStore, 'claim' | 'step' | 'complete' | 'fail' | 'resolve'>;

/** The store could not be asked, also after resends. Nothing ran; `cause` is its last error. */
export class ReceiptStoreUnavailableError extends HoldfastError {
  override readonly name = 'ReceiptStoreUnavailableError';
  readonly code = 'ERR_HOLDFAST_RECEIPT_STORE_UNAVAILABLE';
  readonly verb: 'claim' | 'fail' | 'resolve';
  /** How often the verb was sent. */
  readonly sends: number;

  constructor(verb: 'claim' | 'fail' | 'resolve', sends: number, cause: unknown) {
    super(`The receipt store did not answer ${verb} in ${sends} sends. Nothing was executed; call again later.`, {
      cause,
    });
    this.verb = verb;
    this.sends = sends;
  }
}

/** The store answered what the contract of {@link ReceiptStore} does not know. A claim answered so has executed nothing. */
export class ReceiptStoreAnswerError extends HoldfastError {
  override readonly name = 'ReceiptStoreAnswerError';
  readonly code = 'ERR_HOLDFAST_RECEIPT_STORE_ANSWER';
  readonly verb: ReceiptStoreVerb;

  constructor(verb: ReceiptStoreVerb, kind: unknown, expected: string) {
    super(
      `The receipt store answered ${verb} with the kind ${describeValue(kind)}, and ${expected} was due. A store has to ` +
        'pass @holdfast/receipts/conformance.',
    );
    this.verb = verb;
  }
}
