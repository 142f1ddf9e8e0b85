/** All words that any tool has, in order, and the ones near a given word. Made anew when words come or go. */

/** Shorter words are no correction of anything. */
const MIN_LENGTH = 3;

/** Words in code unit order. */
export class Vocabulary {
  readonly #words: readonly string[];
  /** The letters of each word as bits: most words are told from a misspelt one without being read. */
  #letters: Int32Array | undefined;

  constructor(words: Iterable<string>) {
    this.#words = [...words].sort();
  }

  /** The longer words that begin with `start`. */
  beginningWith(start: string): string[] {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#words[middle] ?? '') <= start) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.#words[end]?.startsWith(start)) end += 1;
    return this.#words.slice(low, end);
  }

  /** The words that have `part` after their first letter. */
  containing(part: string): string[] {
    return this.#words.filter((word) => word.indexOf(part, 1) > 0);
  }

  /** The words with at most `limit` letters added, left out, changed or swapped with the next, and how many. */
  near(word: string, limit: number): [near: string, distance: number][] {
    this.#letters ??= Int32Array.from(this.#words, letterSet);
    const wanted = letterSet(word);
    const near: [string, number][] = [];
    for (let at = 0; at < this.#words.length; at += 1) {
      if (bitCount((this.#letters[at] ?? 0) ^ wanted) > 2 * limit) continue;
      const other = this.#words[at] ?? '';
      const distance = other.length < MIN_LENGTH ? limit + 1 : editDistance(word, other, limit);
      if (distance <= limit) near.push([other, distance]);
    }
    return near;
  }
}

function letterSet(word: string): number {
  let set = 0;
  for (let at = 0; at < word.length; at += 1) set |= 1 << (word.charCodeAt(at) & 31);
  return set;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Insertions, deletions, substitutions and swaps of neighbours; some number above `limit` when there are more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
