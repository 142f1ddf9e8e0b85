/** What a tool gets equals what the model sent, and nobody shares it with anybody. */

import { ToolRegistry } from '@holdfast/tool-registry';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anySchema, tool } from './support.js';

const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('__proto__', 'constructor')), tie('value'), {
      maxKeys: 4,
    }),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 2 }).map((items) => new Set(items)),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 2 }).map((entries) => new Map(entries)),
    fc.uint8Array({ maxLength: 4 }),
  ),
}));
const input = fc.dictionary(fc.string({ maxLength: 3 }), value, { minKeys: 1, maxKeys: 4 });

function objectsIn(root: unknown, found = new Set<object>()): Set<object> {
  if (typeof root !== 'object' || root === null || found.has(root)) return found;
  found.add(root);
  const parts = root instanceof Map || root instanceof Set ? [...root].flat(1) : Object.values(root);
  if (!(root instanceof Uint8Array)) for (const part of parts) objectsIn(part, found);
  return found;
}

it('by execute and by a preparation, whose shown input is frozen', async () => {
  const got: unknown[] = [];
  const execute = (given: unknown) => {
    got.push(given);
    return { success: true, output: '' };
  };
  const registry = new ToolRegistry();
  registry.register(tool('a', { inputSchema: anySchema(), execute }));
  await fc.assert(
    fc.asyncProperty(input, async (raw) => {
      got.length = 0;
      const before = structuredClone(raw);
      await registry.execute('a', raw, {});
      const checked = registry.prepareExecution('a', raw, {});
      if (!checked.success) throw new Error(checked.result.output);
      const shown = checked.prepared.input;
      await registry.executePrepared(checked.prepared, {});
      const all = [raw, shown, ...got];
      for (const one of all) expect(one).toEqual(before);
      const objects = all.flatMap((one) => [...objectsIn(one)]);
      expect(new Set(objects).size).toBe(objects.length);
      for (const one of objectsIn(shown)) expect(Object.isFrozen(one) || one instanceof Uint8Array).toBe(true);
    }),
    { numRuns: 150 },
  );
});
