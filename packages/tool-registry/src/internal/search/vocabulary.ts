/** All words that any tool has, in order, and the ones near a given word. Made anew when words come. */

/** Shorter words are no correction of anything. */
const MIN_CORRECTION = 3;

/** Words in code unit order. */
export class Vocabulary {
  readonly #words: readonly string[];
  /** All words as one text, a line each: the engine finds a part in it sooner than in many texts. */
  #lines: string | undefined;

  constructor(words: Iterable<string>) {
    this.#words = [...words].sort();
  }

  /** The words that begin with `start`, itself included. */
  beginningWith(start: string): readonly string[] {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#words[middle] ?? '') < start) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.#words[end]?.startsWith(start)) end += 1;
    return this.#words.slice(low, end);
  }

  /** The words that have `part` somewhere. */
  containing(part: string): string[] {
    this.#lines ??= `\n${this.#words.join('\n')}\n`;
    const found: string[] = [];
    for (let at = this.#lines.indexOf(part); at !== -1; ) {
      const end = this.#lines.indexOf('\n', at);
      found.push(this.#lines.slice(this.#lines.lastIndexOf('\n', at) + 1, end));
      at = this.#lines.indexOf(part, end);
    }
    return found;
  }

  /**
   * The words with at most `limit` letters added, left out, changed or swapped with the next, and how many. The first
   * letter is taken to be right: it seldom is wrong, and a twentieth of the words is left to compare.
   */
  near(word: string, limit: number): [near: string, distance: number][] {
    const found: [string, number][] = [];
    for (const other of this.beginningWith(word.slice(0, 1))) {
      if (other.length < MIN_CORRECTION) continue;
      const distance = editDistance(word, other, limit);
      if (distance <= limit) found.push([other, distance]);
    }
    return found;
  }
}

/** Insertions, deletions, substitutions and swaps of neighbours; some number above `limit` when there are more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(distance);
      least = Math.min(least, distance);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
