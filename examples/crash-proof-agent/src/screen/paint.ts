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

/** Colours only on a terminal, and there by the NO_COLOR convention. */
export function wantsColours(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
