/** Random texts in random pieces against JSON.parse. `HOLDFAST_FUZZ_RUNS=1000000` runs as many; see CONTRIBUTING.md. */

import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut, objectText } from './support/json-text.js';
import { type FoundString, stringsOf } from './support/strings-of.js';

const chunkings = Number(process.env.HOLDFAST_FUZZ_RUNS ?? 20_000);
const chunkingsPerText = 10;
const numRuns = Math.ceil(chunkings / chunkingsPerText);

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
const manyLengths = fc.array(lengths, { minLength: chunkingsPerText, maxLength: chunkingsPerText });

/** How a reader who joins the deltas of every string differs from JSON.parse; `undefined` if not at all. */
function difference(text: string, strings: readonly FoundString[], chunks: readonly string[]): string | undefined {
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

it(`differs from JSON.parse in none of ${chunkings} random chunkings`, { timeout: 60_000 + chunkings * 5 }, () => {
  const law = (text: string, cuts: readonly number[][]) => {
    const strings = stringsOf(JSON.parse(text));
    for (const lengths of cuts) {
      const chunks = cut(text, lengths);
      const found = difference(text, strings, chunks);
      if (found !== undefined) expect(found).toBe(`no difference in ${JSON.stringify(chunks)}`);
    }
  };
  fc.assert(fc.property(objectText, manyLengths, law), { numRuns });
});
