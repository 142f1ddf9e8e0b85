/** Finds places in a text by a pattern of literal parts. Every position is looked at once, whatever the pattern. */

/** One line of a text, without its line break. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** A place where all parts of a pattern stand in order within one line. */
interface Match {
  readonly start: number;
  readonly line: Line;
}

/** Walks the lines of a text, forwards only. */
export class LineCursor {
  readonly #text: string;
  #line: Line;

  constructor(text: string) {
    this.#text = text;
    this.#line = { number: 1, start: 0, end: endOfLine(text, 0) };
  }

  /** The line that holds a position, or ends at it. A position before the line of the last call is not found again. */
  lineAt(position: number): Line {
    while (position > this.#line.end) this.#next();
    return this.#line;
  }

  /** The line with a number; the last one when there are fewer. */
  lineNumbered(number: number): Line {
    while (this.#line.number < number && this.#line.end < this.#text.length) this.#next();
    return this.#line;
  }

  #next(): void {
    const start = this.#line.end + 1;
    this.#line = { number: this.#line.number + 1, start, end: endOfLine(this.#text, start) };
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

/**
 * The literal parts of a pattern: `*` stands for any characters between two of them, `\*` for itself and `\\` for a
 * backslash; any other backslash is one.
 */
export function parsePattern(pattern: string): string[] {
  const parts = [''];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    const isEscape = character === '\\' && (next === '*' || next === '\\');
    if (character === '*') parts.push('');
    else parts[parts.length - 1] += isEscape ? next : character;
    if (isEscape) at++;
  }
  return parts.filter((part) => part !== '').map(foldCase);
}

/** Searches forwards for the parts of a pattern, whatever their case. */
export class TextSearch {
  readonly #text: string;
  readonly #parts: readonly string[];
  readonly #lines: LineCursor;
  /** Where each part was found last. Searches only move forwards, so it is good until the search has passed it. */
  readonly #found: number[];

  constructor(text: string, parts: readonly string[]) {
    this.#text = foldCase(text);
    this.#parts = parts;
    this.#lines = new LineCursor(text);
    this.#found = parts.map(() => -1);
  }

  /** The first match that begins at or after `from`, which must not be less than in the call before. */
  next(from: number): Match | undefined {
    let start = from;
    for (;;) {
      const place = this.#placeFrom(start);
      if (!place) return undefined;
      const line = this.#lines.lineAt(place.start);
      if (place.end <= line.end) return { start: place.start, line };
      // A later beginning in the same line leaves even less room for the other parts.
      start = line.end + 1;
    }
  }

  /** The earliest place of all parts in order, on one line or not; `undefined` when a part does not come any more. */
  #placeFrom(from: number): { start: number; end: number } | undefined {
    let end = from;
    for (const [index, part] of this.#parts.entries()) {
      if ((this.#found[index] ?? -1) < end) this.#found[index] = this.#text.indexOf(part, end);
      const found = this.#found[index] ?? -1;
      if (found === -1) return undefined;
      end = found + part.length;
    }
    return { start: this.#found[0] ?? from, end };
  }
}

/** Lower case of the same length: one letter would become two, and one has two forms. */
function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}
