/** The schema libraries that people use, each through registration, refusal and run. */

import { defineTool, type ToolInputSchema, ToolRegistry } from '@holdfast/tool-registry';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

interface Input {
  to: string;
  count: number;
  tags?: string[] | undefined;
}

const libraries: Record<string, ToolInputSchema<Input>> = {
  zod: z.object({
    to: z.string().min(1).describe('An address'),
    count: z.number().int().default(1),
    tags: z.array(z.string()).optional(),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      to: v.pipe(v.string(), v.minLength(1), v.description('An address')),
      count: v.optional(v.pipe(v.number(), v.integer()), 1),
      tags: v.optional(v.array(v.string())),
    }),
  ),
  arktype: type({ to: type('string>=1').describe('An address'), count: 'number.integer = 1', 'tags?': 'string[]' }),
};

describe.each(Object.entries(libraries))('a schema of %s', (_, inputSchema) => {
  const seen: Input[] = [];
  const registry = new ToolRegistry();
  const execute = (input: Input) => {
    seen.push(input);
    return { success: true, output: `to ${input.to}` };
  };
  registry.register(defineTool({ name: 'send', description: 'Sends.', inputSchema, execute }));

  it('is shown to the model as JSON Schema, without a dialect', () => {
    const shown = registry.toLLMTools()[0]?.function.parameters as Record<string, Record<string, object>>;
    expect(shown['type']).toBe('object');
    expect(shown['required']).toEqual(['to']);
    expect(shown).not.toHaveProperty('$schema');
    expect(shown['properties']?.['to']).toMatchObject({ type: 'string', minLength: 1 });
    expect(Object.keys(shown['properties'] ?? {}).toSorted()).toEqual(['count', 'tags', 'to']);
  });

  it('checks, fills in defaults and leaves the raw input alone', async () => {
    const raw = { to: 'ann', tags: ['a'] };
    expect(await registry.execute('send', raw, {})).toMatchObject({ success: true, output: 'to ann' });
    expect(seen.pop()).toEqual({ to: 'ann', count: 1, tags: ['a'] });
    expect(raw).toEqual({ to: 'ann', tags: ['a'] });
  });

  it('refuses with the path, and coerces nothing', async () => {
    for (const [raw, pointer] of [
      [{ to: 'ann', tags: '["a"]' }, '/tags'],
      [{ to: 'ann', count: '3' }, '/count'],
      [{ to: 'ann', tags: ['a', 5] }, '/tags/1'],
      [{ to: '' }, '/to'],
    ] as const) {
      const refused = await registry.execute('send', raw, {});
      expect(refused).toMatchObject({ code: 'invalid_input', started: false, retryable: true });
      expect(refused.output).toContain(`- ${pointer}: `);
    }
    expect(seen).toEqual([]);
  });

  it('says what is wrong with the input as a whole', async () => {
    for (const raw of ['{"to":"ann"}', 5, true]) {
      const refused = await registry.execute('send', raw, {});
      expect(refused.output).toMatch(/is not valid, so it did not run:\n- input: .*(object|Object)/);
    }
  });

  it('tells an empty call its required fields', async () => {
    const refused = await registry.execute('send', {}, {});
    expect(refused.output).toContain('called with no arguments');
    expect(refused.output).toContain('- to (string)');
  });
});
