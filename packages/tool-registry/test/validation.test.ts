import { type ToolInputSchema, ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anySchema, tool } from './support.js';

function refusing(inputSchema: ToolInputSchema, parts = {}) {
  const registry = new ToolRegistry();
  registry.register(tool('a', { inputSchema, ...parts }));
  return (input: unknown) => registry.execute('a', input, {});
}

/** A schema that answers every input with the given verdict. */
function answering(verdict: () => unknown): ToolInputSchema {
  return { '~standard': { ...anySchema()['~standard'], validate: verdict as never } };
}

describe('an invalid input', () => {
  it('is refused with the path of each fault, and not coerced', async () => {
    const raw = { queries: '["t"]', n: '3' };
    const result = await refusing(z.object({ queries: z.array(z.string()), n: z.int() }))(raw);
    expect(result).toMatchObject({ success: false, code: 'invalid_input', retryable: true });
    expect(result.output).toContain('- /queries: ');
    expect(result.output).toContain('- /n: ');
    expect(raw).toEqual({ queries: '["t"]', n: '3' });
  });

  it('has JSON pointers with their escapes', async () => {
    const path = ['a/b', { key: '~' }, 0, Symbol('s')];
    const result = await refusing(answering(() => ({ issues: [{ message: 'm', path }, { message: 'root' }] })))({
      x: 1,
    });
    expect(result.output).toContain('- /a~1b/~0/0/Symbol(s): m\n- input: root');
  });

  it('is told 20 faults, or 30 fields, and how many more there are', async () => {
    const issues = Array.from({ length: 23 }, (_, index) => ({ message: `m${index}` }));
    const { output } = await refusing(answering(() => ({ issues })))({ x: 1 });
    expect(output).toContain('- input: m19\n- and 3 more');
    const required = Array.from({ length: 34 }, (_, index) => `f${index}`);
    const shown = anySchema({ type: 'object', required })['~standard'];
    const empty = refusing({ '~standard': { ...shown, validate: () => ({ issues }) } });
    expect((await empty({})).output).toContain('- f29\n- and 4 more');
  });

  it('gets the hint of the tool', async () => {
    const call = refusing(z.object({ a: z.string() }), { validationErrorHint: 'Ask the user.' });
    for (const input of [{ a: 1 }, {}]) expect((await call(input)).output).toMatch(/\nAsk the user\.$/);
  });
});

describe('an empty call', () => {
  const inputSchema = z.object({
    path: z.string().describe('Where\nto'),
    kind: z.enum(['a', 'b']),
    ids: z.array(z.int()),
    either: z.union([z.string(), z.null()]),
    optional: z.string().optional(),
  });

  it.each([{}, undefined, null, ''])('%j names the required fields with types and descriptions', async (input) => {
    const result = await refusing(inputSchema)(input);
    expect(result).toMatchObject({ success: false, code: 'invalid_input', retryable: true });
    expect(result.output).toBe(
      [
        '"a" was called with no arguments, so it did not run. Required:',
        '- path (string): Where to',
        '- kind (one of "a", "b")',
        '- ids (array of integer)',
        '- either (string or null)',
      ].join('\n'),
    );
  });

  it.each([{}, undefined, null, ''])('%j runs a tool that needs nothing', async (input) => {
    expect(await refusing(z.object({ a: z.string().optional() }))(input)).toMatchObject({ success: true });
  });

  it('reads own properties only', async () => {
    const modelInputSchema = JSON.parse('{"type":"object","properties":{},"required":["toString","__proto__"]}');
    const result = await refusing(z.object({ x: z.string() }), { modelInputSchema })({});
    expect(result.output).toContain('- toString\n- __proto__');
  });

  it('is not what a call with wrong arguments is', async () => {
    for (const input of [[], 'text', 0, false, { b: 1 }]) {
      expect((await refusing(inputSchema)(input)).output).not.toContain('no arguments');
    }
  });
});

describe('a schema', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['gives nothing', () => undefined],
    ['gives null', () => null],
    ['gives an empty object', () => ({})],
    ['gives an inherited value', () => Object.create({ value: 1 })],
    ['gives issues that are no list', () => ({ issues: 5 })],
    ['gives no issue', () => ({ issues: [], value: {} })],
    ['gives an issue of null', () => ({ issues: [null] })],
    ['gives a path that is no list', () => ({ issues: [{ message: 'm', path: 5 }] })],
  ])('that %s is a no, in words for the model', async (_, verdict) => {
    const result = await refusing(answering(verdict))({ x: 1 });
    expect(result.output).not.toMatch(/undefined|null|not a function/);
    expect(result.output.trim()).not.toMatch(/:$/);

    expect(await refusing(answering(verdict))({})).toMatchObject({ success: false, code: 'invalid_input' });
  });

  it('may change the value', async () => {
    const seen: unknown[] = [];
    const call = refusing(z.object({ n: z.string().transform(Number), d: z.string().default('x') }), {
      execute: (input: unknown) => {
        seen.push(input);
        return { success: true, output: '' };
      },
    });
    await call({ n: '3' });
    expect(seen).toEqual([{ n: 3, d: 'x' }]);
  });

  it('sees a copy: neither its changes nor later answers of an accessor get through', async () => {
    let reads = 0;
    const raw = {
      list: [] as number[],
      get text() {
        reads += 1;
        return reads === 1 ? 'checked' : 'switched';
      },
    };
    const inputSchema = answering(((value: typeof raw) => {
      value.list.push(1);
      return { value };
    }) as never);
    const call = refusing(inputSchema, {
      execute: (input: typeof raw) => ({ success: true, output: input.text }),
    });
    expect((await call(raw)).output).toBe('checked');
    expect(raw.list).toEqual([]);
  });

  it('keeps its own default, whatever the tool does to it', async () => {
    const shared = { list: [] as number[] };
    const call = refusing(
      answering(() => ({ value: shared })),
      {
        execute: (input: { list: number[] }) => {
          input.list.push(1);
          return { success: true, output: String(input.list.length) };
        },
      },
    );
    await call({});
    expect((await call({})).output).toBe('1');
    expect(shared.list).toEqual([]);
  });
});
