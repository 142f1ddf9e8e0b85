/** Chance that a seed repeats. */

export interface Dice {
  /** A number from 0 up to 1. */
  next(): number;
  /** One of `choices`. */
  pick<T>(choices: readonly T[]): T;
}

/** Dice whose throws depend on the seed and the name alone, so that scenarios may run in any order. */
export function diceOf(seed: number, name: string): Dice {
  let state = seed >>> 0;
  for (let index = 0; index < name.length; index++) state = Math.imul(state ^ name.charCodeAt(index), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, pick: (choices) => choices[Math.floor(next() * choices.length)] as (typeof choices)[number] };
}
