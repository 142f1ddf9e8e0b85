/** Bad habits of real providers, switched on for every run of the scripted model. */

/** Argument texts are streamed in at most this many pieces. */
const MAX_PIECES = 96;

/** Cuts a text into tiny pieces, never inside a surrogate pair: JSON could not carry the halves. */
export function tinyPieces(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(2, Math.ceil(characters.length / MAX_PIECES));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

/**
 * The id of the `asked`-th call of a tool (counted from 0), `undefined` for one that is left out: the same id for
 * the first turns of a run, none at all for the first search, a fresh one whenever a turn is asked again.
 */
export function habitualId(tool: string, asked: number, serial: number): string | undefined {
  if (tool === 'read_file' || tool === 'write_report') return 'call_0';
  if (tool === 'search_tools' && asked === 0) return undefined;
  return `call_${serial}`;
}

/** Whether the `asked`-th writing of this call runs into a length limit that nobody set. */
export function isCutShort(tool: string, asked: number): boolean {
  return tool === 'send_email' && asked === 2;
}

/** Cuts a byte stream inside its UTF-8 characters where it has any that can be cut, else in the middle. */
export class ByteSplitter {
  #held: Buffer = Buffer.alloc(0);

  /** The bytes to send now; the rest is held back until the next call. */
  push(text: string): Buffer {
    const all = Buffer.concat([this.#held, Buffer.from(text)]);
    const inside = all.findLastIndex((byte) => (byte & 0xc0) === 0x80);
    const cut = inside === -1 ? all.length >> 1 : inside;
    this.#held = all.subarray(cut);
    return all.subarray(0, cut);
  }

  /** What is still held back. */
  rest(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }
}
