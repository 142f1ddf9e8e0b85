import { createSearchTool, type ToolContext, type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { thrownBy, tool } from './support.js';

const plan: ToolContext = { permissionContext: { mode: 'plan' } };

/** A tool with one required text, and the inputs that it ran on. */
function recorder(parts: Partial<ToolDefinition> = {}) {
  const ran: unknown[] = [];
  const registry = new ToolRegistry();
  registry.register(
    tool('write', {
      inputSchema: z.object({ path: z.string().describe('Where to') }),
      execute: (input) => {
        ran.push(input);
        return { success: true, output: 'done', data: { n: 1 } };
      },
      ...parts,
    }),
  );
  return { registry, ran };
}

describe('execute', () => {
  it('validates, runs, and gives the result of the tool', async () => {
    const { registry, ran } = recorder();
    expect(await registry.execute('write', { path: 'a', extra: 1 }, {})).toEqual({
      success: true,
      output: 'done',
      data: { n: 1 },
    });
    expect(ran).toEqual([{ path: 'a' }]);
  });

  it('hands over context, name, registry and signal', async () => {
    const registry = new ToolRegistry();
    const context = { allowedTools: ['a'], user: 'u' };
    let seen: unknown[] = [];
    registry.register(
      tool('a', {
        execute: (_, given, call) => {
          seen = [given, call.toolName, call.registry, call.signal.aborted];
          return { success: true, output: '' };
        },
      }),
    );
    await registry.execute('a', {}, context);
    expect(seen[0]).toBe(context);
    expect(seen[2]).toBe(registry);
    expect([seen[1], seen[3]]).toEqual(['a', false]);
    const fork = registry.fork();
    await fork.execute('a', {}, context);
    expect(seen[2]).toBe(fork);
  });

  it('calls the handler on its own definition', async () => {
    class Counter {
      readonly #step = 2;
      readonly name = 'count';
      readonly description = 'Counts.';
      readonly inputSchema = tool('x').inputSchema;
      execute() {
        return { success: true, output: String(this.#step) };
      }
    }
    const registry = new ToolRegistry();
    registry.register(new Counter());
    registry.assignTiers({ count: 'x' });
    expect((await registry.execute('count', {}, {})).output).toBe('2');
  });
});

describe('the order of checks', () => {
  it('is known, allowed, available, read-only mode, valid', async () => {
    const { registry, ran } = recorder();
    const forbidden: ToolContext = { ...plan, allowedTools: [] };
    const code = async (name: string, context: ToolContext) => (await registry.execute(name, {}, context)).code;
    registry.defer(['write']);
    expect(await code('nope', forbidden)).toBe('unknown_tool');
    expect(await code('write', forbidden)).toBe('not_allowed');
    expect(await code('write', plan)).toBe('deferred');
    registry.activate(['write']);
    registry.suspendAll();
    expect(await code('write', plan)).toBe('suspended');
    registry.activate(['write']);
    expect(await code('write', plan)).toBe('read_only_mode');
    expect(await code('write', {})).toBe('invalid_input');
    expect(ran).toEqual([]);
  });

  it('knows an empty list of allowed tools from none', async () => {
    const { registry } = recorder();
    const input = { path: 'a' };
    expect(await registry.execute('write', input, { allowedTools: undefined })).toMatchObject({ success: true });
    expect(await registry.execute('write', input, { allowedTools: ['write'] })).toMatchObject({ success: true });
    expect(await registry.execute('write', input, { allowedTools: [] })).toMatchObject({
      success: false,
      code: 'not_allowed',
      permissionDenied: true,
      retryable: false,
    });
  });

  it.each([
    ['allowedTools', { allowedTools: 'write_all' }],
    ['allowedTools', { allowedTools: [1] }],
    ['resultGuardrails', { resultGuardrails: {} }],
    ['abortSignal', { abortSignal: { aborted: false } }],
    ['context', undefined],
    ['context', null],
  ])('refuses a malformed %s before anything runs', async (option, context) => {
    const { registry, ran } = recorder();
    await expect(registry.execute('write', { path: 'a' }, context as never)).rejects.toMatchObject({
      code: 'ERR_HOLDFAST_TOOL_REGISTRY_OPTION',
      option: expect.stringContaining(option),
    });
    expect(ran).toEqual([]);
  });
});

describe('an unknown tool', () => {
  const registry = new ToolRegistry();
  registry.register([tool('read_file'), tool('list_files'), tool('zip')]);
  registry.register([tool('secret_x'), tool('reed_fill')], 'suspended');
  registry.register([tool('send_file')], 'deferred');

  it('is a result with near names, none of them suspended', async () => {
    const result = await registry.execute('reed_file', {}, {});
    expect(result).toMatchObject({ success: false, code: 'unknown_tool', retryable: false });
    expect(result.data).toEqual({ nearNames: ['read_file', 'send_file', 'list_files'] });
    expect(result.output).toContain('"reed_file"');
    expect(result.output).toContain('read_file');
    expect(result.error).toBe(result.output);
    expect((await registry.execute('secret', {}, {})).output).not.toContain('secret_x');
  });

  it('names only tools that the caller may use', async () => {
    const result = await registry.execute('reed_file', {}, { allowedTools: ['list_files'] });
    expect(result.data).toEqual({ nearNames: ['list_files'] });
    expect((await registry.execute('reed_file', {}, { allowedTools: [] })).data).toBeUndefined();
  });

  it('names five at most', async () => {
    const many = new ToolRegistry();
    many.register(Array.from({ length: 9 }, (_, index) => tool(`read_file_${index}`)));
    expect((await many.execute('read_file', {}, {})).data).toEqual({
      nearNames: [0, 1, 2, 3, 4].map((index) => `read_file_${index}`),
    });
  });

  it('has no near names when nothing is near', async () => {
    const result = await registry.execute('qqqqqqqq', {}, {});
    expect(result.data).toBeUndefined();
    expect(result.output).toBe('There is no tool named "qqqqqqqq".');
  });

  it('points to search where there is one', async () => {
    const searching = registry.fork();
    searching.register(createSearchTool(searching));
    expect((await searching.execute('qqqqqqqq', {}, {})).output).toContain('search_tools');
    expect((await searching.execute('qqqqqqqq', {}, { allowedTools: ['zip'] })).output).not.toContain('search_tools');
  });

  it('is known by own names only, and quoted within bounds', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '', 'x'.repeat(1_000_000), '"\n</tool>']) {
      const result = await registry.execute(name, {}, {});
      expect(result.code).toBe('unknown_tool');
      expect(result.output.length).toBeLessThan(400);
      expect(result.output).not.toContain('\n');
    }
    expect((await registry.execute(undefined as never, {}, {})).code).toBe('unknown_tool');
    expect((await registry.execute(Symbol('x') as never, {}, {})).code).toBe('unknown_tool');
  });
});

describe('a deferred tool', () => {
  it('does not run; the refusal says how to load it and what it takes', async () => {
    const { registry, ran } = recorder();
    registry.register(createSearchTool(registry));
    registry.defer(['write']);
    const result = await registry.execute('write', { path: 'a' }, {});
    expect(result).toMatchObject({ success: false, code: 'deferred', retryable: true });
    expect(result.output).toContain('Call search_tools with the query "write"');
    expect(result.output).toContain(
      '{"type":"object","properties":{"path":{"type":"string","description":"Where to"}}',
    );
    expect(ran).toEqual([]);
  });

  it('shows no schema to a caller who may not use it', async () => {
    const { registry } = recorder();
    registry.defer(['write']);
    for (const context of [{ allowedTools: [] }, { allowedTools: ['other'] }]) {
      const result = await registry.execute('write', { path: 'a' }, context);
      expect(JSON.stringify(result)).not.toContain('Where to');
      expect(result).toMatchObject({ code: 'not_allowed', permissionDenied: true });
    }
  });

  it('does not name a search tool that cannot be called', async () => {
    const { registry } = recorder();
    registry.defer(['write']);
    expect((await registry.execute('write', {}, {})).output).not.toContain('search_tools');
    registry.register(createSearchTool(registry));
    expect((await registry.execute('write', {}, { allowedTools: ['write'] })).output).not.toContain('search_tools');
    registry.suspendAll();
    expect((await registry.execute('write', {}, {})).output).not.toContain('search_tools');
  });

  it('leaves out a schema that is too long', async () => {
    const registry = new ToolRegistry();
    const schemaOf = (length: number) => {
      const around = JSON.stringify({ type: 'object', description: '' }).length;
      return { type: 'object', description: 'x'.repeat(length - around) };
    };
    registry.register(tool('most', { modelInputSchema: schemaOf(8_000) }), 'deferred');
    registry.register(tool('big', { modelInputSchema: schemaOf(8_001) }), 'deferred');
    expect((await registry.execute('most', {}, {})).output).toContain(JSON.stringify(schemaOf(8_000)));
    const { output, error } = await registry.execute('big', {}, {});
    expect(output.length).toBeLessThan(500);
    expect(error).toBe(output);
  });
});

describe('plan mode', () => {
  const blocked = { success: false, code: 'read_only_mode', permissionDenied: true };
  const input = { path: 'a' };

  it('blocks what does not say that it is read-only, before validation', async () => {
    for (const parts of [{}, { isReadOnly: () => false }] as Partial<ToolDefinition>[]) {
      const { registry, ran } = recorder(parts);
      expect(await registry.execute('write', {}, plan)).toMatchObject(blocked);
      expect(await registry.execute('write', input, plan)).toMatchObject(blocked);
      expect(await registry.execute('write', input, { permissionContext: { mode: 'act' } })).toMatchObject({
        success: true,
      });
      expect(ran).toHaveLength(1);
    }
  });

  it('lets a read-only tool run', async () => {
    const { registry } = recorder({ isReadOnly: () => true });
    expect(await registry.execute('write', input, plan)).toMatchObject({ success: true });
    expect(await registry.execute('write', {}, plan)).toMatchObject({ code: 'invalid_input' });
  });

  it('asks a function of the input after validation', async () => {
    const isReadOnly = (given: unknown) => (given as { path: string }).path.startsWith('r');
    const { registry, ran } = recorder({ isReadOnly });
    expect(await registry.execute('write', {}, plan)).toMatchObject({ code: 'invalid_input' });
    expect(await registry.execute('write', { path: 'read' }, plan)).toMatchObject({ success: true });
    expect(await registry.execute('write', { path: 'write' }, plan)).toMatchObject(blocked);
    expect(ran).toEqual([{ path: 'read' }]);
  });

  it('asks a function with hidden parameters once more, with the input', async () => {
    const isReadOnly = (...given: unknown[]) => (given[0] as { path: string }).path === 'a';
    const { registry } = recorder({ isReadOnly });
    expect(await registry.execute('write', input, plan)).toMatchObject({ success: true });
    expect(await registry.execute('write', { path: 'b' }, plan)).toMatchObject(blocked);
  });

  it('takes nothing but true for a yes', async () => {
    const answers: unknown[] = [1, 'true', {}, Promise.resolve(true), undefined];
    for (const answer of answers) {
      const { registry } = recorder({ isReadOnly: (_given) => answer as boolean });
      expect(await registry.execute('write', input, plan)).toMatchObject(blocked);
    }
    const { registry } = recorder({
      isReadOnly: (_given) => {
        throw new Error('no idea');
      },
    });
    expect(await registry.execute('write', input, plan)).toMatchObject(blocked);
  });

  it('cannot be talked round by changing the input', async () => {
    const { registry, ran } = recorder({
      isReadOnly: (given) => {
        (given as { path: string }).path = 'elsewhere';
        return true;
      },
    });
    expect(await registry.execute('write', input, plan)).toMatchObject(blocked);
    expect(ran).toEqual([]);
  });

  it('does not believe a server unless the host does', async () => {
    const isReadOnly = () => true;
    const results = [
      { server: 's' },
      { server: 's', readOnlyHintTrusted: false },
      { server: 's', readOnlyHintTrusted: 'yes' as never },
      { server: 's', readOnlyHintTrusted: true },
    ].map((provenance) => recorder({ isReadOnly, provenance }).registry.execute('write', input, plan));
    expect((await Promise.all(results)).map((result) => result.success)).toEqual([false, false, false, true]);
  });
});

describe('what a tool throws or returns', () => {
  const run = async (execute: ToolDefinition['execute'], config = {}) => {
    const registry = new ToolRegistry(config);
    registry.register(tool('a', { execute }));
    return registry.execute('a', {}, {});
  };

  it.each([
    ['an error', new Error('disk full'), 'disk full'],
    ['a text', 'plain', 'plain'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object', { code: 7 }, '{"code":7}'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a bigint', 3n, '3'],
  ])('%s that is thrown becomes a failed result', async (_, error, text) => {
    const expected = { success: false, code: 'tool_error', output: `"a" failed: ${text}` };
    const thrown = await run(() => {
      throw error;
    });
    expect(thrown).toMatchObject(expected);
    expect(await run(() => Promise.reject(error))).toMatchObject(expected);
    expect(thrown.output).not.toContain('at ');
  });

  it('tells the logger what the result cannot carry', async () => {
    const error = new Error('secret stack');
    const log: unknown[] = [];
    await run(() => Promise.reject(error), { logger: { warn: (...args: unknown[]) => log.push(args) } });
    expect(log).toEqual([['A tool threw', { toolName: 'a', error }]]);
  });

  it('refuses a logger that can be told nothing', () => {
    for (const logger of [{}, null, console.log]) {
      expect(thrownBy(() => new ToolRegistry({ logger: logger as never }))['option']).toBe('logger');
    }
  });

  it('stands a logger that throws', async () => {
    const logger = {
      warn: () => {
        throw new Error('log');
      },
    };
    expect(await run(() => Promise.reject(new Error('x')), { logger })).toMatchObject({ code: 'tool_error' });
  });

  it('lets the control flow of the host through', async () => {
    const interrupt = { isInterrupt: true };
    const rethrow = (error: unknown) => error === interrupt;
    await expect(run(() => Promise.reject(interrupt), { rethrow })).rejects.toBe(interrupt);
    expect(await run(() => Promise.reject({}), { rethrow })).toMatchObject({ code: 'tool_error' });
    const log: string[] = [];
    const byName = { rethrow: (error: unknown) => (error as Error).name === 'Interrupt' };
    const logger = { warn: (message: string) => log.push(message) };
    expect(await run(() => Promise.reject(null), { ...byName, logger })).toMatchObject({ code: 'tool_error' });
    expect(log[0]).toContain('rethrow threw');
  });

  it.each([
    ['undefined', undefined],
    ['a text', 'ok'],
    ['no success', { output: 'x' }],
    ['no output', { success: true }],
    ['an output that is no text', { success: true, output: { a: 1 } }],
    ['an error that is no text', { success: false, output: '', error: new Error('x') }],
    ['content that is no list', { success: true, output: '', content: 'x' }],
  ])('%s is no result', async (_, returned) => {
    expect(await run(() => returned as never)).toMatchObject({ success: false, code: 'invalid_result' });
  });

  it('passes every field of a result on, in a copy', async () => {
    const result = { success: false, output: 'o', error: 'e', data: [1], content: [{ type: 'text' }], retryable: true };
    const given = await run(() => ({ ...result, own: 'field' }) as never);
    expect(given).toEqual({ ...result, own: 'field' });
  });

  it('has no say in what only the registry may say', async () => {
    const claim = { success: false, output: 'o', code: 'deferred', started: false } as const;
    expect(await run(() => claim)).toEqual({ success: false, output: 'o' });
  });

  it('is told apart from a call that was never started', async () => {
    const failed = await run(() => Promise.reject(new Error('x')));
    const nothing = await run(() => undefined as never);
    expect([failed.started, nothing.started]).toEqual([undefined, undefined]);
    const { registry } = recorder();
    const calls: [string, unknown, ToolContext][] = [
      ['nope', {}, {}],
      ['write', {}, { allowedTools: [] }],
      ['write', {}, plan],
      ['write', {}, {}],
    ];
    for (const [name, input, context] of calls) {
      expect((await registry.execute(name, input, context)).started).toBe(false);
    }
    registry.suspendAll();
    expect((await registry.execute('write', {}, {})).started).toBe(false);
    registry.defer(['write']);
    expect((await registry.execute('write', {}, {})).started).toBe(false);
  });

  it('must come from guardrails in a list', () => {
    expect(thrownBy(() => new ToolRegistry({ resultGuardrails: {} as never }))['option']).toBe('resultGuardrails');
  });
});
