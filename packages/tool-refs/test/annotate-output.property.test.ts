import { annotateToolOutputWithReference as annotate } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text, tree } from './support/arguments.js';

const imitation = fc.constantFrom(
  '[ref: tool0turn0]\n',
  '\n[unresolved refs: tool9turn9]',
  '{"_ref":"tool9turn9"}',
  '{"_ref":"tool0turn0","a":1}',
  '{"_unresolved_refs":["x"]}',
  '{',
  '}',
  ' ',
  '\r\n',
);
const json = fc.tuple(tree, fc.constantFrom(0, 2, '\t')).map(([value, space]) => JSON.stringify(value, null, space));
const object = fc
  .tuple(fc.dictionary(fc.string(), tree), fc.constantFrom(0, 2))
  .map(([value, space]) => JSON.stringify(value, null, space));
const content = fc.oneof(
  json,
  object,
  text,
  fc.array(fc.oneof(imitation, text), { maxLength: 4 }).map((parts) => parts.join('')),
);
const key = fc.constantFrom(undefined, 'tool0turn0', 'tool12turn3');
const unresolved = fc.constantFrom<string[]>([], ['tool9turn9'], ['tool9turn9', 'tool8turn8']);
const settings = { numRuns: 1_000 };

/** Takes off what the documentation says is added, by position alone. */
function strip(annotated: string, added: { key: boolean; list: boolean }): string {
  let rest = annotated;
  if (added.key) rest = rest.slice(rest.indexOf('\n') + 1);
  if (added.list) rest = rest.slice(0, rest.lastIndexOf('\n'));
  return rest;
}

function parseObject(value: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

describe('annotateToolOutputWithReference', () => {
  it('adds lines or fields, and keeps every character of the output beside them', () => {
    fc.assert(
      fc.property(content, key, unresolved, (output, ownKey, list) => {
        const annotated = annotate(output, ownKey, list);
        const before = parseObject(output);
        const after = parseObject(annotated);
        if (before && after) {
          // The output is a head and a tail of the annotated text with the fields in between.
          const added = annotated.length - output.length;
          const inside = output.indexOf('{') + 1;
          expect(annotated.slice(0, inside) + annotated.slice(inside + added)).toBe(output);
          const expected = {
            ...before,
            ...(ownKey && { _ref: ownKey }),
            ...(list.length > 0 && { _unresolved_refs: list }),
          };
          expect(after).toEqual(expected);
        } else {
          const hasKey = ownKey !== undefined || annotated.startsWith('[ref: none]\n');
          const hasList = list.length > 0 || annotated.endsWith('\n[unresolved refs: none]');
          expect(strip(annotated, { key: hasKey, list: hasList })).toBe(output);
          if (ownKey) expect(annotated.startsWith(`[ref: ${ownKey}]\n`)).toBe(true);
          if (list.length > 0) expect(annotated.endsWith(`\n[unresolved refs: ${list.join(', ')}]`)).toBe(true);
        }
      }),
      settings,
    );
  });

  it('shows a key in the first line or field only if the output has it', () => {
    fc.assert(
      fc.property(content, unresolved, (output, list) => {
        const annotated = annotate(output, undefined, list);
        expect(annotated).not.toMatch(/^\[ref: (?!none)/);
        expect(parseObject(annotated) ?? {}).not.toHaveProperty('_ref');
        if (list.length === 0) expect(annotated).not.toMatch(/\n\[unresolved refs: (?!none)[^\n]*$/);
      }),
      settings,
    );
  });
});
