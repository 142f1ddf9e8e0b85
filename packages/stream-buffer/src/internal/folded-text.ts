/** Text that grows by small pieces. Adding and reading cost a constant time per piece; nothing is copied twice. */

const leafLength = 4096;

/**
 * A string built from many pieces: a rope of flat leaves and a short tail. A plain rope of four-character pieces
 * would take ten times the memory of its text.
 */
export class FoldedText {
  #head = '';
  #tail = '';

  get length(): number {
    return this.#head.length + this.#tail.length;
  }

  /** The whole text, as a rope: cheap to take, flattened only by whoever looks inside. */
  get value(): string {
    return this.#head + this.#tail;
  }

  add(piece: string): void {
    const tail = this.#tail + piece;
    if (tail.length < leafLength) {
      this.#tail = tail;
      return;
    }
    // Reading a unit makes the engine flatten the leaf in place; the result must be used, or the read is optimised away.
    if (tail.charCodeAt(tail.length - 1) >= 0) this.#head += tail;
    this.#tail = '';
  }
}
