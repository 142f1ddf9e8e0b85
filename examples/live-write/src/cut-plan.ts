/** Where the stream is cut: the same place for the same seed. */

/** What the cut goes through. */
export const PLACES = ['anywhere', 'character', 'escape'] as const;
export type Place = (typeof PLACES)[number];

export interface Cut {
  readonly place: Place;
  /** Bytes of the stream that are sent. */
  readonly bytes: number;
}

/** A generator of numbers from 0 up to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Cuts a stream of events. `escapeEnds` are the bytes behind each event whose text ends inside an escape. */
export function planCut(body: Uint8Array, escapeEnds: readonly number[], random: () => number, wanted?: Place): Cut {
  const place = wanted ?? pick(PLACES, random);
  switch (place) {
    case 'anywhere':
      return { place, bytes: 1 + Math.floor(random() * (body.length - 1)) };
    case 'character':
      return { place, bytes: pick(continuationBytes(body), random) };
    case 'escape':
      return { place, bytes: pick(escapeEnds, random) };
  }
}

/** The bytes of UTF-8 that cannot begin a character. */
function continuationBytes(body: Uint8Array): number[] {
  return Array.from(body.entries()).flatMap(([at, byte]) => ((byte & 0xc0) === 0x80 ? [at] : []));
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is no such place to cut in this stream.');
  return item;
}
