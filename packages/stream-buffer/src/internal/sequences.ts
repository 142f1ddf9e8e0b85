/** Recognises what a server says again after a reconnect: pieces that are numbered, and numbers that have come. */

/** The highest number that has come of each source. */
export class Sequences {
  readonly #maxSources: number;
  readonly #highest = new Map<string, number>();

  constructor(maxSources: number) {
    this.#maxSources = maxSources;
  }

  get entries(): [string, number][] {
    return [...this.#highest];
  }

  /** Tells whether a number has come before, and remembers it if not. Beyond the limit the oldest source is forgotten. */
  hasSeen(source: string, sequence: number): boolean {
    const highest = this.#highest.get(source);
    if (highest !== undefined && sequence <= highest) return true;
    if (highest === undefined && this.#highest.size >= this.#maxSources) {
      for (const oldest of this.#highest.keys()) {
        this.#highest.delete(oldest);
        break;
      }
    }
    this.#highest.set(source, sequence);
    return false;
  }

  clear(): void {
    this.#highest.clear();
  }
}
