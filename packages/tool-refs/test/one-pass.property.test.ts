import { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const secret = 'the secret';

/** Outputs that spell a reference to the secret in one of the ways that resolving understands. */
const trap = fc.constantFrom(
  '{{tool1turn0}}',
  'a {{tool1turn0}}\n',
  '"{{tool1turn0}}"',
  '{"x":"{{tool1turn0}}"}',
  '{"x":"\\u007b{tool1turn0}}"}',
  '{"x":"{\\"y\\":\\"{{tool1turn0}}\\"}"}',
  '["{{tool1turn0}}",{"{{tool1turn0}}":1}]',
  '{{tool1turn0#}}',
  '{{tool1turn0#/a}}',
);

/** Arguments that name the output of the trap, and nothing else. */
const args = fc.constantFrom<unknown>(
  '{{tool0turn0}}',
  'see {{tool0turn0}}',
  ['{{tool0turn0}}'],
  { a: { b: ['x {{tool0turn0}} y', '{{tool0turn0#}}', '{{tool0turn0#/x}}'] } },
  '{"a":"{{tool0turn0}}","b":"{{tool0turn0#}}","c":"x {{tool0turn0#/x}}"}',
);

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...stringsOf(inner)]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What hooks do with arguments as a whole or with parts of them. */
const handBack = fc.constantFrom<(value: unknown) => unknown>(
  (value) => structuredClone(value),
  (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  (value) => ({ wrapped: value }),
  (value) => stringsOf(value),
  (value) => stringsOf(value)[0] ?? value,
  (value) => stringsOf(value).at(-1) ?? value,
);

/** What hooks do inside of strings. */
const edit = fc.constantFrom<(value: unknown) => unknown>(
  (value) => stringsOf(value).map((text) => text.trim()),
  (value) => stringsOf(value).map((text) => `edited ${text}`),
  (value) => stringsOf(value).map(parsed),
  (value) => stringsOf(value).map((text) => JSON.stringify(parsed(text))),
  (value) => stringsOf(value).join('\n'),
);

/** Hands the outcome back again and again, each time in another way. */
function resolveThrough(
  hooks: ((value: unknown) => unknown)[],
  given: { output: string; first: unknown; index: number | undefined },
) {
  const registry = new ToolOutputReferenceRegistry();
  const earlier = registry.beginBatch('r');
  earlier.settle(0, given.output);
  earlier.settle(1, JSON.stringify({ a: secret }));
  const batch = registry.beginBatch('r');
  let { resolved } = batch.resolve(given.first, { index: given.index });
  for (const hook of hooks) ({ resolved } = batch.resolve(hook(resolved), { index: given.index }));
  return resolved;
}

describe('inserted output that spells a reference', () => {
  it('is never resolved, whatever hooks do in a call that is named', () => {
    fc.assert(
      fc.property(trap, args, fc.array(fc.oneof(handBack, edit), { maxLength: 4 }), (output, first, hooks) => {
        expect(JSON.stringify(resolveThrough(hooks, { output, first, index: 0 }))).not.toContain(secret);
      }),
      { numRuns: 400 },
    );
  });

  it('is never resolved in a call that is not named, whatever part of the outcome is handed back', () => {
    fc.assert(
      fc.property(trap, args, fc.array(handBack, { maxLength: 4 }), (output, first, hooks) => {
        expect(JSON.stringify(resolveThrough(hooks, { output, first, index: undefined }))).not.toContain(secret);
      }),
      { numRuns: 400 },
    );
  });

  it('would be found if it were resolved', () => {
    const output = '{{tool1turn0}}';
    const registry = new ToolOutputReferenceRegistry();
    const earlier = registry.beginBatch('r');
    earlier.settle(0, output);
    earlier.settle(1, secret);
    const { resolved } = registry.resolve('r', ['{{tool0turn0}}']);
    expect(registry.resolve('r', resolved).resolved).toEqual([secret]);
  });
});
