/**
 * `canonicalJson` and the libraries that a host would otherwise use, as ratios to `JSON.stringify` of the same value,
 * which neither sorts nor refuses. Each input has a process of its own, since what one input teaches the compiler costs
 * the next. Before that: which of them obey RFC 8785, and which give two different values one text.
 *
 *     pnpm build && node bench/canonical-json.bench.mjs [part of an input's name]
 *
 * Not measured: hashing (digest.bench.mjs) and memory.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '@holdfast/receipts';
import canonicalize from 'canonicalize';
import fastJsonStableStringify from 'fast-json-stable-stringify';
import { canonicalize as jsonCanonicalize } from 'json-canonicalize';
import jsonStableStringify from 'json-stable-stringify';
import safeStableStringify from 'safe-stable-stringify';
import { compare } from '../../../scripts/bench.mjs';
import { inputs } from './canonical-json-inputs.mjs';

const writers = {
  canonicalJson,
  'safe-stable-stringify': safeStableStringify,
  'fast-json-stable-stringify': fastJsonStableStringify,
  'json-stable-stringify': jsonStableStringify,
  'json-canonicalize': jsonCanonicalize,
  canonicalize,
};

const [part = '', exact] = process.argv.slice(2);
if (exact === undefined) {
  tellCorrectness();
  for (const name of Object.keys(inputs).filter((input) => input.includes(part))) {
    const file = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, ['--single-threaded', file, name, 'exact'], { stdio: 'inherit' });
    if (status !== 0) process.exit(1);
  }
} else {
  const value = inputs[part];
  const contenders = { 'JSON.stringify': JSON.stringify, ...writers };
  await compare(
    `${part}, ${JSON.stringify(value).length} characters`,
    Object.fromEntries(Object.entries(contenders).map(([name, write]) => [name, () => write(value)])),
  );
}

/** RFC 8785 as text, and pairs of different values whose texts must differ, or which must be refused. */
function tellCorrectness() {
  const obeyed = [
    ['keys by code units', { b: 1, a: 2, 10: 3, 9: 4, é: 5, Z: 6 }, '{"10":3,"9":4,"Z":6,"a":2,"b":1,"é":5}'],
    ['keys beyond the BMP', { '\ue000': 1, '\u{10000}': 2 }, '{"\u{10000}":2,"\ue000":1}'],
    ['own __proto__', JSON.parse('{"b":1,"__proto__":2}'), '{"__proto__":2,"b":1}'],
    ['numbers', [-0, 1e21, 1e-7, 4.5], '[0,1e+21,1e-7,4.5]'],
    ['escapes', '\u0000\u2028"\\\n/', '"\\u0000\u2028\\"\\\\\\n/"'],
    ['NaN is refused', [Number.NaN], undefined],
    ['infinity is refused', { a: Number.POSITIVE_INFINITY }, undefined],
    ['cycles are refused', cycle(), undefined],
  ];
  const unlike = [
    ['undefined, no key', { a: undefined }, {}],
    ['a function, no key', { a: () => 1 }, {}],
    ['10n, 10', { a: 10n }, { a: 10 }],
    ['10n, "10"', { a: 10n }, { a: '10' }],
    ['a Map, {}', new Map([[1, 2]]), {}],
    ['two Sets', new Set([1]), new Set([2])],
    ['an Error, {}', new Error('x'), {}],
    ['a typed array, an object', new Uint8Array(1), { 0: 0 }],
    ['a symbol key, {}', { [Symbol('s')]: 1 }, {}],
    ['a hidden key, {}', Object.defineProperty({}, 'a', { value: 1 }), {}],
    ['a named key, []', Object.assign([], { a: 1 }), []],
  ];
  console.log('RFC 8785 obeyed, and unlike values kept apart or refused');
  for (const [name, write] of Object.entries(writers)) {
    const wrong = [
      ...obeyed.filter(([, value, text]) => attempt(write, value) !== text),
      ...unlike.filter(([, one, other]) => attempt(write, one) === (attempt(write, other) ?? 0)),
    ].map(([rule]) => rule);
    const right = obeyed.length + unlike.length - wrong.length;
    console.log(`  ${name.padEnd(28)} ${right} of ${obeyed.length + unlike.length}  ${wrong.join(' · ')}`);
  }
}

function cycle() {
  const value = {};
  value.self = value;
  return value;
}

/** The text, or `undefined` where it is refused. */
function attempt(write, value) {
  try {
    return write(value);
  } catch {
    return undefined;
  }
}
