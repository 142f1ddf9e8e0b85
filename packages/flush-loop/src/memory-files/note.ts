/** One note in a Markdown file: a heading with its time, and the text as the model wrote it. */

/** A heading as {@link noteEntry} writes it. */
const heading = /^## \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/;

/** Gives the reason when a text cannot be a note that a person can read. */
export function checkNote(text: unknown, maxChars: number): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'A note must be text that is not blank.';
  if (text.length > maxChars)
    return `A note may have at most ${maxChars} characters; this one has ${text.length}. Write less.`;
  if (/[\0\p{Surrogate}]/u.test(text)) return 'The note holds a NUL or half a character. Write it without.';
  return undefined;
}

/** The note as it is appended to a file that holds `before`. */
export function noteEntry(before: string, text: string, now: Date): string {
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${gap}## ${now.toISOString().slice(0, 19).replace('T', ' ')} UTC\n\n${text}\n`;
}

/** Tells whether the same text stands in the file as a note: between its heading and the next heading or the end. */
export function hasNote(file: string, text: string): boolean {
  const body = `\n\n${text}\n`;
  for (let at = file.indexOf(body); at !== -1; at = file.indexOf(body, at + 1)) {
    const lineStart = file.lastIndexOf('\n', at - 1) + 1;
    const rest = file.slice(at + body.length, at + body.length + 32);
    if (heading.test(file.slice(lineStart, at)) && (rest === '' || /^\n## \d{4}-/.test(rest))) return true;
  }
  return false;
}
