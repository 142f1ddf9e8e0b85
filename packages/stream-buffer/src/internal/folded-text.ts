/** Text that grows by small pieces. Adding and reading cost a constant time per piece; nothing is copied twice. */

/** Long enough that a rope of leaves costs little memory, short enough that flattening an unfinished one costs little time. */
const leafLength = 1024;

/**
 * A string built from many pieces: a rope of flat leaves and a short tail. A plain rope of four-character pieces
 * would take ten times the memory of its text.
 */
export class FoldedText {
  readonly #leaves: string[] = [];
  #head = '';
  #tail = '';
  /** The piece that came last: what is asked for most often. */
  #last = '';
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The whole text, as a rope: cheap to take, flattened only by whoever looks inside. */
  get value(): string {
    return this.#head + this.#tail;
  }

  add(piece: string): void {
    this.#last = piece;
    this.#length += piece.length;
    const tail = this.#tail + piece;
    if (tail.length < leafLength) {
      this.#tail = tail;
      return;
    }
    // Reading a unit makes the engine flatten the leaf in place; the result must be used, or the read is optimised away.
    if (tail.charCodeAt(tail.length - 1) >= 0) this.#head += tail;
    this.#leaves.push(tail);
    this.#tail = '';
  }

  /** A part of the text. Looks only at the leaves that hold it, from the end backwards. */
  slice(from: number, to: number): string {
    const lastStart = this.#length - this.#last.length;
    if (from >= lastStart) return this.#last.slice(from - lastStart, to - lastStart);
    let start = this.#head.length;
    let part = to > start ? this.#tail.slice(Math.max(0, from - start), to - start) : '';
    for (let leaf = this.#leaves.length - 1; start > from && leaf >= 0; leaf--) {
      const text = this.#leaves[leaf] ?? '';
      start -= text.length;
      if (to > start) part = text.slice(Math.max(0, from - start), to - start) + part;
    }
    return part;
  }
}
