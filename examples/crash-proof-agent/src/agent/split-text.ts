/** In how many parts a report is published. */
export const REPORT_PARTS = 4;

/** Cuts a text into exactly `count` parts of about equal length, at line ends where one is near. */
export function splitText(text: string, count: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let part = 1; part < count; part += 1) {
    const to = cutNear(text, from, Math.floor((text.length * part) / count));
    parts.push(text.slice(from, to));
    from = to;
  }
  return [...parts, text.slice(from)];
}

function cutNear(text: string, from: number, aim: number): number {
  const lineEnd = text.lastIndexOf('\n', aim - 1) + 1;
  if (lineEnd > from) return lineEnd;
  const cut = Math.max(from, aim);
  // Never between the halves of one character.
  const previous = text.charCodeAt(cut - 1);
  return previous >= 0xd800 && previous <= 0xdbff && cut > from ? cut - 1 : cut;
}
