/** Colours, or none. */

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;

export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

/** Colours for a terminal, or the text as it is. */
export function createPaint(colours: boolean): Paint {
  if (!colours) return (_, text) => text;
  return (colour, text) => `\x1b[${CODES[colour][0]}m${text}\x1b[${CODES[colour][1]}m`;
}

/** Whether to draw one coloured screen. Otherwise, and where `NO_COLOR` or `CI` is set, plain lines are wanted. */
export function canRedraw(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  return isTerminal && !env['NO_COLOR'] && !env['CI'] && env['TERM'] !== 'dumb';
}
