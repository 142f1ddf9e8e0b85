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
  #lastStart = 0;
  #tailStart = 0;
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
    this.#lastStart = this.#length;
    this.#length += piece.length;
    this.#tail += piece;
    if (this.#length - this.#tailStart >= leafLength) this.#fold();
  }

  /** A part of the text. Looks only at the leaves that hold it. */
  slice(from: number, to: number): string {
    if (from !== this.#lastStart || to !== this.#length) return this.#sliceLeaves(from, to);
    return this.#last;
  }

  /** From the end backwards: what is asked for is mostly new. */
  #sliceLeaves(from: number, to: number): string {
    if (from >= this.#lastStart) return this.#last.slice(from - this.#lastStart, to - this.#lastStart);
    let start = this.#tailStart;
    let part = to > start ? this.#tail.slice(Math.max(0, from - start), to - start) : '';
    for (let leaf = this.#leaves.length - 1; start > from && leaf >= 0; leaf--) {
      const text = this.#leaves[leaf] ?? '';
      start -= text.length;
      if (to > start) part = text.slice(Math.max(0, from - start), to - start) + part;
    }
    return part;
  }

  #fold(): void {
    const leaf = this.#tail;
    // Reading a unit makes the engine flatten the leaf in place; the result must be used, or the read is optimised away.
    if (leaf.charCodeAt(leaf.length - 1) >= 0) this.#head += leaf;
    this.#leaves.push(leaf);
    this.#tail = '';
    this.#tailStart = this.#length;
  }
}
