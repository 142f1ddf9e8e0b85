import { isDeepStrictEqual } from 'node:util';
import { findReferences, TOOL_OUTPUT_REF_PATTERN, ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze, listMissing, mapStrings, outputs, splitAndJoin, text, tree } from './support/arguments.js';

const settings = { numRuns: 600 };

function store(stored: Record<string, string>): ToolOutputReferenceRegistry {
  const registry = new ToolOutputReferenceRegistry();
  for (const [key, output] of Object.entries(stored)) registry.set('r', key, output);
  return registry;
}

/** -0 is lost in JSON, so the oracle cannot speak about it. */
const containers = tree
  .filter((args) => typeof args !== 'string')
  .map((args) => JSON.parse(JSON.stringify(args)) as unknown);

describe('resolve', () => {
  it('does to every string value what splitting and joining does', () => {
    fc.assert(
      fc.property(outputs, containers, (stored, args) => {
        const { resolved } = store(stored).resolve('r', args);
        expect(
          isDeepStrictEqual(
            resolved,
            mapStrings(args, (value) => splitAndJoin(value, stored)),
          ),
        ).toBe(true);
      }),
      settings,
    );
  });

  it('lists exactly the references without an output', () => {
    fc.assert(
      fc.property(outputs, containers, (stored, args) => {
        expect(store(stored).resolve('r', args).unresolved).toEqual(listMissing(args, stored));
        expect(findReferences(args)).toEqual(listMissing(args, {}));
      }),
      settings,
    );
  });

  it('never changes its input, and gives it back when no output goes in', () => {
    fc.assert(
      fc.property(outputs, containers, (stored, args) => {
        const before = JSON.stringify(args);
        const frozen = deepFreeze(args);
        const { resolved } = store(stored).resolve('r', frozen);
        expect(JSON.stringify(frozen)).toBe(before);
        if (JSON.stringify(resolved) === before) expect(resolved).toBe(frozen);
        else expect(resolved).not.toBe(frozen);
        expect(store({}).resolve('r', frozen).resolved).toBe(frozen);
      }),
      settings,
    );
  });

  it('does to a plain text what splitting and joining does', () => {
    fc.assert(
      fc.property(outputs, text, (stored, args) => {
        fc.pre(!isJsonContainer(args));
        expect(store(stored).resolve('r', args).resolved).toBe(splitAndJoin(args, stored));
      }),
      settings,
    );
  });

  it('does to a JSON text what it does to the tree, and leaves all between the strings as it was', () => {
    fc.assert(
      fc.property(outputs, containers, fc.constantFrom(0, 1, '\t'), (stored, args, space) => {
        fc.pre(typeof args === 'object' && args !== null);
        const json = JSON.stringify(args, null, space);
        const registry = store(stored);
        const { resolved, unresolved } = registry.resolve('r', json);
        const inTree = registry.resolve('r', args);
        expect(resolved).toBe(JSON.stringify(inTree.resolved, null, space));
        expect(unresolved).toEqual(inTree.unresolved);
      }),
      settings,
    );
  });

  it('finds placeholders where the exported pattern does, and no others', () => {
    const piece = fc.constantFrom(
      '{{tool0turn0',
      '{{tool12turn3',
      '#',
      '/a',
      '~',
      '{',
      '}',
      '}}',
      '{x}',
      '{{tool',
      ' ',
      '0',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        ),
        (value) => {
          const everywhere = new RegExp(TOOL_OUTPUT_REF_PATTERN, 'g');
          const found = [...value.matchAll(everywhere)].map(([, key, pointer]) =>
            pointer === undefined ? key : `${key}#${pointer}`,
          );
          expect(findReferences([value])).toEqual([...new Set(found)]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('in a batch, is done after the first time', () => {
    fc.assert(
      fc.property(outputs, containers, (stored, args) => {
        const batch = store(stored).beginBatch('r');
        const first = batch.resolve(args);
        expect(batch.resolve(first.resolved)).toEqual(first);
        expect(isDeepStrictEqual(batch.resolve(structuredClone(first.resolved)).resolved, first.resolved)).toBe(true);
      }),
      settings,
    );
  });

  it('keeps the resolved arguments within the limit, in every form', () => {
    fc.assert(
      fc.property(outputs, containers, fc.integer({ min: 1, max: 200 }), (stored, args, maxResolvedSize) => {
        const registry = new ToolOutputReferenceRegistry({ maxResolvedSize });
        for (const [key, output] of Object.entries(stored)) registry.set('r', key, output);
        const { resolved } = registry.resolve('r', args);
        expect(countStrings(resolved)).toBeLessThanOrEqual(Math.max(maxResolvedSize, countStrings(args)));
        const json = JSON.stringify(args);
        expect(registry.resolve('r', json).resolved.length).toBeLessThanOrEqual(Math.max(maxResolvedSize, json.length));
      }),
      settings,
    );
  });
});

function countStrings(args: unknown): number {
  let count = 0;
  mapStrings([args], (value) => {
    count += value.length;
    return value;
  });
  return count;
}

function isJsonContainer(value: string): boolean {
  try {
    return typeof JSON.parse(value) === 'object' && JSON.parse(value) !== null;
  } catch {
    return false;
  }
}
