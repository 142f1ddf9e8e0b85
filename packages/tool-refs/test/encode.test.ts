import { ToolOutputReferenceRegistry, type ToolOutputResolveOptions } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputs, splitAndJoin, tree } from './support/arguments.js';

type Path = ReadonlyArray<string | number>;

/** Quotes for a POSIX shell where the argument is a command. */
const quoteCommands: ToolOutputResolveOptions = {
  encode: (value, path) => (path.at(-1) === 'command' ? `'${value.replaceAll("'", "'\\''")}'` : value),
};

function registryWith(stored: Record<string, string>, options = {}): ToolOutputReferenceRegistry {
  const registry = new ToolOutputReferenceRegistry(options);
  for (const [key, output] of Object.entries(stored)) registry.set('r', key, output);
  return registry;
}

describe('an encoder', () => {
  const stored = { tool0turn0: "$(id); 'x'", tool1turn0: '{"o":{"a":[1]},"s":"it\'s","n":7}' };

  it('writes outputs for the field that they go into, and only there', () => {
    const args = { command: 'echo {{tool0turn0}}', text: '{{tool0turn0}}' };
    const resolved = { command: "echo '$(id); '\\''x'\\'''", text: "$(id); 'x'" };
    const registry = registryWith(stored);
    expect(registry.resolve('r', args, quoteCommands)).toEqual({ resolved, unresolved: [] });
    expect(registry.snapshot('r').resolve(args, quoteCommands).resolved).toEqual(resolved);
    registry.nextTurn('r');
    expect(registry.beginBatch('r').resolve(args, { index: 0, ...quoteCommands }).resolved).toEqual(resolved);
    expect(JSON.parse(registry.resolve('r', JSON.stringify(args), quoteCommands).resolved)).toEqual(resolved);
  });

  it('gets every text that goes in, and no value that keeps its type', () => {
    const seen: string[] = [];
    const encode = (value: string) => `<${seen.push(value)}>`;
    const args = [
      '{{tool1turn0#/s}}',
      '{{tool1turn0#/o}}',
      'x {{tool1turn0#/o}}',
      '{{tool1turn0#/n}}',
      '{{tool9turn9}}',
    ];
    const resolved = ['<1>', { a: [1] }, 'x <2>', 7, '{{tool9turn9}}'];
    expect(registryWith(stored).resolve('r', args, { encode }).resolved).toEqual(resolved);
    expect(seen.splice(0)).toEqual(["it's", '{"a":[1]}']);
    const json = registryWith(stored).resolve('r', JSON.stringify(args), { encode }).resolved;
    expect(JSON.parse(json)).toEqual(resolved);
    expect(seen).toEqual(["it's", '{"a":[1]}']);
  });

  it('is not asked again about what a batch has resolved', () => {
    const registry = registryWith({ tool0turn0: '{{tool1turn0}}', tool1turn0: 'secret' });
    registry.nextTurn('r');
    const batch = registry.beginBatch('r');
    const encode = (value: string) => `[${value}]`;
    const { resolved } = batch.resolve({ a: '{{tool0turn0}}' }, { index: 0, encode });
    expect(resolved).toEqual({ a: '[{{tool1turn0}}]' });
    expect(batch.resolve(resolved, { index: 0, encode }).resolved).toBe(resolved);
  });

  it('cannot pass the limit, nor be made to work beyond it', () => {
    for (const encode of [(value: string) => value.repeat(3), () => '']) {
      let calls = 0;
      const counted = (value: string) => {
        calls++;
        return encode(value);
      };
      const registry = registryWith({ tool0turn0: 'x'.repeat(400) }, { maxResolvedSize: 20_000 });
      const args = { a: '{{tool0turn0}}'.repeat(1_000) };
      const { resolved, unresolved } = registry.resolve('r', args, { encode: counted });
      expect(unresolved).toEqual(['tool0turn0']);
      expect(resolved.a.length).toBeLessThanOrEqual(20_000);
      expect(calls).toBeLessThan(1_000);
    }
  });

  it('must give a string', () => {
    const encode = (() => undefined) as unknown as (value: string) => string;
    expect(() => registryWith(stored).resolve('r', '{{tool0turn0}}', { encode })).toThrow(
      expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', argument: 'encode' }),
    );
  });

  it('gets the path of each string, in trees and in JSON texts', () => {
    const encode = (value: string, path: Path) => `${JSON.stringify(path)}(${value})`;
    fc.assert(
      fc.property(tree, outputs, fc.constantFrom(0, 2), (generated, stored, indentation) => {
        const args = JSON.parse(JSON.stringify(generated)) as unknown;
        const registry = registryWith(stored);
        const expected = mapWithPath(args, [], (text, path) => {
          const encoded = Object.entries(stored).map(([key, output]) => [key, encode(output, path)]);
          return splitAndJoin(text, Object.fromEntries(encoded));
        });
        // A text is its own root, and JSON text of an object or array is read as such.
        if (typeof args !== 'string') expect(registry.resolve('r', args, { encode }).resolved).toEqual(expected);
        const json = JSON.stringify(args, null, indentation);
        if (typeof args !== 'object' || args === null) return;
        expect(JSON.parse(registry.resolve('r', json, { encode }).resolved)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
    const registry = registryWith({ tool0turn0: 'v' });
    expect(registry.resolve('r', 'x {{tool0turn0}}', { encode }).resolved).toBe('x [](v)');
  });

  it('may keep the paths that it gets', () => {
    const registry = registryWith({ tool0turn0: 'v' });
    const args = { a: ['{{tool0turn0}}', { b: '{{tool0turn0}}' }] };
    for (const given of [args, JSON.stringify(args)]) {
      const paths: Path[] = [];
      registry.resolve<unknown>('r', given, { encode: (_value, path) => `${paths.push(path)}` });
      expect(paths).toEqual([
        ['a', 0],
        ['a', 1, 'b'],
      ]);
    }
  });
});

function mapWithPath(value: unknown, path: Path, change: (text: string, path: Path) => string): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapWithPath(item, [...path, index], change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapWithPath(item, [...path, key], change)]),
  );
}
