/** Random texts in random pieces against JSON.parse. `HOLDFAST_FUZZ_RUNS=1000000` runs as many; see CONTRIBUTING.md. */

import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inChunks, objectText } from './support/json-text.js';
import { stringsOf } from './support/strings-of.js';

const numRuns = Number(process.env.HOLDFAST_FUZZ_RUNS ?? 20_000);
/** Each run of the default number reads the same texts; a longer one draws others every time, and prints its seed. */
const parameters = process.env.HOLDFAST_FUZZ_RUNS === undefined ? { numRuns, seed: 20_240_607 } : { numRuns };

/** What a reader holds who joins the deltas of every string of the text, and what the verdict says. */
function follow(text: string, chunks: readonly string[]): string | undefined {
  const whole: unknown = JSON.parse(text);
  const strings = stringsOf(whole);
  const shown = strings.map(() => '');
  const buffer = new StreamingToolCallBuffer();
  const take = () => {
    for (const [index, { path }] of strings.entries()) {
      const delta = buffer.takeFieldDelta('a', path);
      if (delta !== undefined) shown[index] = (delta.kind === 'reset' ? '' : (shown[index] ?? '')) + delta.text;
    }
  };
  for (const chunk of chunks) {
    buffer.append('a', chunk);
    take();
  }
  const verdict = buffer.finish('a');
  take();
  if (verdict?.kind !== 'complete' || verdict.closedJson !== text) return `the text is ${JSON.stringify(verdict)}`;
  const wrong = strings.findIndex(({ value }, index) => value !== shown[index]);
  return wrong === -1 ? undefined : `${JSON.stringify(strings[wrong])} was shown as ${JSON.stringify(shown[wrong])}`;
}

it(`differs from JSON.parse in none of ${numRuns} random chunkings`, { timeout: 60_000 + numRuns * 2 }, () => {
  const law = ({ text, chunks }: { text: string; chunks: string[] }) => {
    const difference = follow(text, chunks);
    if (difference !== undefined) expect(difference).toBe(`no difference in ${JSON.stringify(chunks)}`);
  };
  fc.assert(fc.property(inChunks(objectText), law), parameters);
});
