/** Texts of models, tools and drivers on a terminal: nothing in them moves the cursor, hides, or reorders. */

/** Controls, formats (bidirectional overrides among them), surrogates, private and unassigned characters, separators. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text in one line, with everything that a terminal would act on or not show written as an escape. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => NAMED[character] ?? escaped(character));
}

/** The same, in a bounded width; what is cut is counted. */
export function visibleWithin(text: string, width: number): string {
  let shown = '';
  let read = 0;
  for (const character of text) {
    const next = visible(character);
    if (shown.length + next.length > width) return `${shown}… (${text.length - read} more characters)`;
    shown += next;
    read += character.length;
  }
  return shown;
}

/** The text as a word of a shell's command line. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (text.search(HIDDEN) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  const quoted = text.replaceAll(/[\\']/g, '\\$&').replaceAll(HIDDEN, (character) => escapedForShell(character));
  return `$'${quoted}'`;
}

/** JSON in which a terminal finds nothing to act on: the escapes are JSON's own, so the value stays the same. */
export function visibleJson(value: unknown, indent?: number): string {
  // Lines end between the texts, never in them.
  return JSON.stringify(value, undefined, indent).replaceAll(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replaceAll(/[\s\S]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
  );
}

function escaped(character: string): string {
  const point = character.codePointAt(0) as number;
  if (point < 0x100) return `\\x${hex(point, 2)}`;
  return point < 0x10000 ? `\\u${hex(point, 4)}` : `\\u{${hex(point, 1)}}`;
}

/** As bytes: what a shell makes of `\u` depends on its locale. */
function escapedForShell(character: string): string {
  return NAMED[character] ?? [...Buffer.from(character)].map((byte) => `\\x${hex(byte, 2)}`).join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
