/**
 * `canonicalJson` and `canonicalize` as ratios to `JSON.stringify` of the same value, which neither sorts nor refuses.
 * Rounds are interleaved and the median of the ratios is printed. Hashing and memory are not measured.
 *
 *     pnpm build && node bench/canonical-json.bench.mjs
 */

import { canonicalJson } from '@holdfast/receipts';
import canonicalize from 'canonicalize';

const email = {
  to: 'ada@example.com',
  subject: 'Invoice 4411',
  body: 'Please find it attached.',
  cc: ['bob@example.com'],
  urgent: false,
};
const rows = Array.from({ length: 10_000 }, (_, id) => ({
  id,
  name: `row ${id}`,
  amount: id / 8,
  active: id % 2 === 0,
  note: 'none',
}));
const wide = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, index) => [`key_${(index * 7_919) % 10_007}`, index]),
);
let deep = { leaf: true };
for (let level = 0; level < 499; level++) deep = { level, child: deep };

const inputs = {
  'an e-mail, 5 keys': email,
  'a 64 KB document': { path: 'src/app.ts', content: 'export const answer = 42;\n'.repeat(2_500) },
  '10,000 rows': rows,
  '10,000 keys': wide,
  '500 levels': deep,
};
const contenders = { canonicalJson, canonicalize };
const ROUNDS = 9;
const ROUND_MS = 30;

for (const [name, value] of Object.entries(inputs)) {
  const ratios = Object.fromEntries(Object.keys(contenders).map((contender) => [contender, []]));
  for (let round = -2; round < ROUNDS; round++) {
    const base = timePerCall(() => JSON.stringify(value));
    for (const [contender, write] of Object.entries(contenders)) {
      const ratio = timePerCall(() => write(value)) / base;
      if (round >= 0) ratios[contender].push(ratio);
    }
  }
  const medians = Object.entries(ratios).map(([contender, all]) => `${contender} ${median(all).toFixed(2)}`);
  console.log(`${name.padEnd(20)} ${medians.join('   ')}   (JSON.stringify = 1)`);
}

/** CPU milliseconds of this process per call. Reading a character makes plain text of what the engine kept as a tree. */
function timePerCall(write) {
  const start = process.cpuUsage();
  let calls = 0;
  let spent = 0;
  do {
    for (let repeat = 0; repeat < 4; repeat++, calls++) write().charCodeAt(0);
    const { user, system } = process.cpuUsage(start);
    spent = (user + system) / 1_000;
  } while (spent < ROUND_MS);
  return spent / calls;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
