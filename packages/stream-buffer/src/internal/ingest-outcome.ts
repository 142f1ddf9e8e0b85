/** Says to the host what became of a fragment. */

import type { IngestOutcome } from '../piece.js';
import type { FragmentEffect } from './readings.js';

/** Tells whether the text holds a fragment because of it. */
export function isKept(effect: FragmentEffect): boolean {
  return effect === 'appended' || effect === 'restated';
}

export function outcomeOf(id: string, started: boolean, effect: FragmentEffect): IngestOutcome {
  switch (effect) {
    case 'appended':
    case 'restated':
      return { kind: effect, id, started, appended: true };
    case 'refused':
      return { kind: 'refused', limit: 'characters', id, started, appended: false };
    default:
      return { kind: 'duplicate', id, started, appended: false };
  }
}
