/** What must hold, found without the buffer: from the text that arrived, and from what the model had in mind. */

export interface Claim {
  readonly text: string;
  readonly holds: boolean;
}

/**
 * The content in a text of arguments that was cut: what `JSON.parse` gives for the longest beginning that a quote and a
 * bracket complete. Half an escape and half a pair count as not arrived.
 */
export function contentOf(args: string): string {
  if (!/"content"\s*:\s*"/.test(args)) return '';
  const whole = parse(args);
  if (whole !== undefined) return whole;
  for (let end = args.length; end > args.length - 12; end -= 1) {
    const content = parse(`${args.slice(0, end)}"}`);
    if (content !== undefined) return content.replace(/[\ud800-\udbff]$/, '');
  }
  throw new Error('The arguments that arrived are no beginning of JSON.');
}

function parse(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly content: string }).content;
  } catch {
    return undefined;
  }
}
