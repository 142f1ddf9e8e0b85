/** Where lines go. Descriptions and results are text of strangers, so nothing in them may steer a terminal. */

/** Control characters but tab and newline, and the marks that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Takes lines. */
export type Screen = (...lines: readonly string[]) => void;

/** Writes lines that a terminal shows and does not obey. */
export function screenOn(stream: { write(text: string): unknown }): Screen {
  return (...lines) => {
    for (const line of lines) stream.write(`${shown(line)}\n`);
  };
}

function shown(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(STEERING, '\ufffd');
}

/** The beginning of a long text, which says that it is one. */
export function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${number(text.length - length)} more characters)`;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

/** A number and what it counts. */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}
