/** One note in a Markdown file: a heading with its time, and the text as the model wrote it. */

/** A heading as {@link noteEntry} writes it. */
const heading = /^## \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/;

/** Gives the reason when a text cannot be a note that a person can read. */
export function checkNote(text: unknown, maxChars: number): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'A note must be text that is not blank.';
  if (text.length > maxChars)
    return `A note may have at most ${maxChars} characters; this one has ${text.length}. Write less.`;
  // A person reads notes on a terminal, which takes orders from control characters.
  if (/[^\P{Cc}\t\n\r]|\p{Surrogate}/u.test(text)) {
    return 'The note holds a control character or half a character. Write it without.';
  }
  return undefined;
}

/** The note as it is appended to a file that holds `before`. */
export function noteEntry(before: string, text: string, now: Date): string {
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${gap}## ${now.toISOString().slice(0, 19).replace('T', ' ')} UTC\n\n${text}\n`;
}

/**
 * Tells whether the same text stands in the file as a note: between its heading and the next heading or the end. Editors
 * that change line ends or leave out the last one make no other note of it.
 */
export function hasNote(file: string, text: string): boolean {
  const lines = plainLines(file);
  const notes = lines.endsWith('\n') ? lines : `${lines}\n`;
  const body = `\n\n${plainLines(text)}\n`;
  for (let at = notes.indexOf(body); at !== -1; at = notes.indexOf(body, at + 1)) {
    const lineStart = notes.lastIndexOf('\n', at - 1) + 1;
    const rest = notes.slice(at + body.length, at + body.length + 32);
    if (heading.test(notes.slice(lineStart, at)) && (rest === '' || /^\n## \d{4}-/.test(rest))) return true;
  }
  return false;
}

function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
