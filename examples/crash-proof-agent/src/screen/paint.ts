/** Colours, or none. */
import { styleText } from 'node:util';

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan' | 'magenta';
export type Paint = (colour: Colour, text: string) => string;

/** Colours for a terminal, unless the user asked for none; the text as it is for anything else. */
export function createPaint(colours: boolean): Paint {
  return colours ? (colour, text) => styleText(colour, text) : (_, text) => text;
}

/** Follows the NO_COLOR convention. */
export function wantsColours(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
