/**
 * Resolving arguments, against what a host would write or install instead. Ratios are to the contender that is named
 * in each heading. Mustache remembers each template that it has parsed, so it is faster here, where every round has the
 * same texts, than with arguments that are new each time. Not measured: browsers, and what a model saves by not copying.
 *
 *     pnpm build && node bench/resolve.bench.mjs
 */

import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import Handlebars from 'handlebars';
import Mustache from 'mustache';
import { compare, growthExponent } from '../../../scripts/bench.mjs';

const quick = process.argv.includes('--quick') ? { rounds: 3, warmUps: 1, roundMs: 15 } : { rounds: 15, roundMs: 30 };
const PLACEHOLDER = /\{\{(tool\d+turn\d+)\}\}/g;

/** The least that finding placeholders can cost: a walk with one search in each string. */
function walk(value) {
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === 'string') {
      if (inner.includes('{{tool')) return true;
    } else if (typeof inner === 'object' && inner !== null && walk(inner)) return true;
  }
  return false;
}

/** What most hosts write: a copy of the tree with a replacement in every string. */
function mapTree(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapTree(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTree(inner, change)]));
}

function contenders(args, outputs) {
  const registry = new ToolOutputReferenceRegistry();
  for (const [key, output] of Object.entries(outputs)) registry.set('r', key, output);
  return {
    holdfast: () => registry.resolve('r', args).resolved,
    'regex replace over a tree copy': () =>
      mapTree(args, (text) => text.replace(PLACEHOLDER, (whole, key) => outputs[key] ?? whole)),
    mustache: () => mapTree(args, (text) => Mustache.render(text, outputs, undefined, { escape: String })),
    handlebars: () => mapTree(args, (text) => Handlebars.compile(text, { noEscape: true })(outputs)),
  };
}

const words = 'The quick brown fox jumps over the lazy dog. ';
const bag = {
  to: ['ada@example.com', 'bob@example.com'],
  subject: 'Invoice 4411',
  body: words.repeat(18),
  options: { urgent: false, retries: 3, tag: 'billing' },
};
const document = { path: 'src/app.ts', content: words.repeat(2_250) };
const rows = Array.from({ length: 2_000 }, (_, id) => ({ id: `row-${id}`, a: 'alpha', b: 'beta', c: 'gamma', n: id }));
const output = `${'x'.repeat(99_999)}é`;
const small = { tool0turn0: 'v' };
const strings = Array.from({ length: 1_000 }, () => 'see {{tool0turn0}} for it');

for (const [title, args] of Object.entries({
  'no placeholder, 1 KB': bag,
  'no placeholder, 100 KB': document,
  'no placeholder, 2,000 rows': { rows },
})) {
  await compare(title, { 'for…in walk with includes': () => walk(args), ...contenders(args, small) }, quick);
}
for (const [title, args, outputs] of [
  ['one 100 KB output', { path: 'a.txt', content: 'Copy: {{tool0turn0}}' }, { tool0turn0: output }],
  ['1,000 placeholders in 1,000 strings', { strings }, small],
  ['1,000 placeholders in 1,000 objects', strings.map((text, id) => ({ id, text })), small],
  ['1,000 placeholders in an object', Object.fromEntries(strings.map((text, id) => [`k${id}`, text])), small],
  ['1,000 placeholders in one string', { text: strings.join(' ') }, small],
]) {
  await compare(title, contenders(args, outputs), {
    ...quick,
    base: 'regex replace over a tree copy',
  });
}

console.log('hostile text: time for 600,000 characters, and exponent of growth from 6,000');
for (const piece of ['{{', '{{tool', '{{tool1turn1', '{{tool1turn1#', '{{{{tool1turn0}}}}', '{{tool0turn0#/{']) {
  const registry = new ToolOutputReferenceRegistry();
  const points = [];
  for (const size of [6_000, 60_000, 600_000]) {
    const args = { text: piece.repeat(size / piece.length) };
    let best = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 12; turn++) {
      const start = performance.now();
      registry.resolve('r', args);
      best = Math.min(best, performance.now() - start);
    }
    points.push([size, best]);
  }
  const [, last] = points.at(-1);
  console.log(
    `  ${piece.padEnd(34)} ${growthExponent(points).toFixed(2).padStart(9)}   ${last.toFixed(2).padStart(9)} ms`,
  );
}
let deep = 'nothing';
for (let level = 0; level < 100_000; level++) deep = { deep };
const start = performance.now();
new ToolOutputReferenceRegistry().resolve('r', deep);
console.log(`100,000 levels: ${(performance.now() - start).toFixed(1)} ms`);
