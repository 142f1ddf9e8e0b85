/** What the calls of one run have used up of its limits. */

import { compareCodeUnits } from '@holdfast/kernel';
import type { FlushSettings } from './flush-settings.js';
import type { PlannedCall } from './planned-call.js';

/** Counts repeated calls and appended characters. */
export class CallBudget {
  readonly #seen = new Map<string, number>();
  #appendedChars = 0;
  /** Whether a call was made more often than allowed. */
  stalled = false;

  constructor(readonly settings: FlushSettings) {}

  /** Counts the call; gives the reason when it is one too many. */
  refuseRepeat(call: PlannedCall): string | undefined {
    const { maxIdenticalCalls } = this.settings;
    if (maxIdenticalCalls === Number.POSITIVE_INFINITY) return undefined;
    const key = callKey(call);
    if (key === undefined) return undefined;
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    if (count <= maxIdenticalCalls) return undefined;
    this.stalled = true;
    return `Not run: this call has been made ${maxIdenticalCalls} times with the same arguments.`;
  }

  /** Reserves room for an append; gives the reason when there is not enough. */
  reserve(call: PlannedCall): string | undefined {
    const { maxAppendedChars } = this.settings;
    const size = appendSize(call, this.settings);
    const left = maxAppendedChars - this.#appendedChars;
    if (size > left) return `Not run: ${left} of ${maxAppendedChars} characters are left to append. Write less.`;
    this.#appendedChars += size;
    return undefined;
  }

  /** Gives the room of an append back that wrote nothing. */
  release(call: PlannedCall): void {
    this.#appendedChars -= appendSize(call, this.settings);
  }
}

function appendSize(call: PlannedCall, { appends, maxAppendedChars }: FlushSettings): number {
  if (maxAppendedChars === Number.POSITIVE_INFINITY || !appends.has(call.name)) return 0;
  try {
    return JSON.stringify(call.args).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Equal for equal names and arguments, whatever the order of keys; absent where arguments cannot be written. */
function callKey({ name, source }: PlannedCall): string | undefined {
  try {
    return JSON.stringify([name, source.args], (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareCodeUnits(a, b)));
    });
  } catch {
    return undefined;
  }
}
