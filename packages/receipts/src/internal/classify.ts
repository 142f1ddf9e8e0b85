/** What a thrown value says about the effect. */

import { HoldfastError } from '@holdfast/kernel';
import { ReceiptOptionError } from '../execute-once-errors.js';
import type { EffectResumability } from '../receipt-decision.js';
import type { FailureKind } from '../receipt-store.js';
import type { Settings } from './settings.js';

export interface Classification {
  readonly failure: FailureKind;
  readonly classifierError?: unknown;
}

/** A classifier that fails says nothing, and so the effect is unknown. */
export function classify(error: unknown, settings: Settings<unknown>): Classification {
  try {
    const answer: unknown = settings.classifyError(error);
    if (answer === undefined) return { failure: defaultFailure(error, settings.effect) };
    if (answer === 'clean' || answer === 'unknown' || answer === 'terminal') return { failure: answer };
    throw new ReceiptOptionError(
      'classifyError',
      answer,
      "a function giving 'clean', 'unknown', 'terminal' or undefined",
    );
  } catch (classifierError) {
    return { failure: 'unknown', classifierError };
  }
}

function defaultFailure(error: unknown, effect: EffectResumability): FailureKind {
  const code = HoldfastError.isInstance(error) ? error.code : undefined;
  if (code === 'ERR_HOLDFAST_EFFECT_DID_NOT_HAPPEN') return 'clean';
  if (code === 'ERR_HOLDFAST_EFFECT_REJECTED') return 'terminal';
  if (code === 'ERR_HOLDFAST_EFFECT_STEP' && stepHasHappened(error)) return 'unknown';
  return effect === 'opaque' ? 'unknown' : 'clean';
}

/** No later attempt can know of such a step, or go on from it. */
function stepHasHappened(error: unknown): boolean {
  const { reason } = error as { readonly reason?: unknown };
  return reason === 'not-kept' || reason === 'not-recorded';
}
