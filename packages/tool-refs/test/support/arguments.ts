/** Arbitrary tool arguments that are full of placeholders, near misses, and outputs that look like placeholders. */

import fc from 'fast-check';

const storedKeys = ['tool0turn0', 'tool1turn0', 'tool1turn1', 'tool1turn10', 'tool11turn1'] as const;
const missingKeys = ['tool9turn9', 'tool1turn100'];
const nearMisses = [
  '{{ tool0turn0 }}',
  '{{tool00turn0}}',
  '{{Tool0turn0}}',
  '{{tool0turn0}',
  '{tool0turn0}}',
  '{{tool1{{',
  '}}',
  '{{',
  '{{tool',
  'turn0}}',
  '$&',
  '$1',
  '\\',
  '"',
  '\n',
  '\u2028',
  '😀',
  '\uD83D',
  'é',
];

const piece = fc.oneof(
  fc.constantFrom(...storedKeys, ...missingKeys).map((key) => `{{${key}}}`),
  fc.constantFrom(...nearMisses),
  fc.string({ maxLength: 4 }),
);

export const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

export const outputs: fc.Arbitrary<Record<string, string>> = fc
  .subarray([...storedKeys])
  .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, text]))));

const key = fc.oneof(fc.constantFrom('a', 'b', '0', '10', '__proto__', 'constructor', '{{tool0turn0}}', ''), text);

const scalar = fc.oneof(fc.constantFrom(null, true, false, 0, -0, 1.5, ''), text);

/** Values as `JSON.parse` gives them. */
export const tree = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    {
      weight: 2,
      arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    },
  ),
})).value;

/** Replaces by splitting on one whole placeholder after the other; what is joined in is never split again. */
export function splitAndJoin(
  text: string,
  stored: Record<string, string>,
  keys: readonly string[] = storedKeys,
): string {
  const [first, ...rest] = keys;
  if (first === undefined) return text;
  const parts = text.split(`{{${first}}}`).map((part) => splitAndJoin(part, stored, rest));
  return parts.join(stored[first] ?? `{{${first}}}`);
}

/** Lists missing keys by looking at each position of each string value, in the order of `JSON.stringify`. */
export function listMissing(args: unknown, stored: Record<string, string>): string[] {
  const found = new Set<string>();
  JSON.stringify(args, (_name, value: unknown) => {
    if (typeof value !== 'string') return value;
    for (let at = 0; at < value.length; at++) {
      for (const key of [...storedKeys, ...missingKeys]) {
        if (value.startsWith(`{{${key}}}`, at) && stored[key] === undefined) found.add(key);
      }
    }
    return value;
  });
  return [...found];
}

export function mapStrings(args: unknown, change: (text: string) => string): unknown {
  if (typeof args === 'string') return change(args);
  return JSON.parse(JSON.stringify(args), (_name, value: unknown) =>
    typeof value === 'string' ? change(value) : value,
  );
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
