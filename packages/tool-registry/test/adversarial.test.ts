import { ToolRegistry, type ToolRegistryConfig } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anySchema, names, tool, wireNames } from './support.js';

const OBJECT_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

describe('names that objects have anyway', () => {
  it('are names of tools like any other', async () => {
    const registry = new ToolRegistry();
    for (const name of OBJECT_NAMES) expect(registry.has(name)).toBe(false);
    registry.register(
      OBJECT_NAMES.map((name) => tool(name)),
      'deferred',
    );
    expect(names(registry.searchDeferred('__proto__'))[0]).toBe('__proto__');
    expect(names(registry.searchDeferred('constructor'))).toEqual(['constructor']);
    registry.activate(OBJECT_NAMES);
    registry.assignTiers(JSON.parse('{"__proto__":"x","constructor":"x"}'));
    expect(registry.get('__proto__')?.tier).toBe('x');
    expect(wireNames(registry.toLLMTools())).toEqual(OBJECT_NAMES);
    for (const name of OBJECT_NAMES) {
      expect((await registry.execute(name, {}, { allowedTools: OBJECT_NAMES })).output).toBe(name);
    }
    expect(await registry.fork().execute('__proto__', {}, { allowedTools: [] })).toMatchObject({ code: 'not_allowed' });
  });

  it('are keys of arguments like any other', async () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":1},"toString":"x"}';
    const registry = new ToolRegistry();
    let seen = '';
    registry.register(
      tool('a', {
        execute: (input) => {
          seen = JSON.stringify(input);
          return { success: true, output: '' };
        },
      }),
    );
    const result = registry.prepareExecution('a', JSON.parse(text));
    expect(result.success && JSON.stringify(result.prepared.input)).toBe(text);
    await registry.execute('a', JSON.parse(text), {});
    expect(seen).toBe(text);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('are names of schema properties like any other', () => {
    const shown = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}');
    const registry = new ToolRegistry();
    registry.register(tool('a', { inputSchema: anySchema(shown), outputSchema: shown }), 'deferred');
    registry.activate(['a']);
    expect(JSON.stringify(registry.toLLMTools()[0]?.function.parameters)).toBe(JSON.stringify(shown));
    expect(registry.toLLMTools()[0]?.function.description).toContain(JSON.stringify(shown));
  });
});

describe('hostile schemas', () => {
  it('have their accessors read once, at registration', () => {
    let reads = 0;
    const shown = {
      type: 'object',
      get title() {
        reads += 1;
        return `read ${reads}`;
      },
    };
    const registry = new ToolRegistry();
    registry.register(tool('a', { inputSchema: anySchema(shown) }));
    registry.toLLMTools();
    expect(registry.toLLMTools()[0]?.function.parameters['title']).toBe('read 1');
    expect(reads).toBe(1);
  });

  it('that are deep, wide or woven are refused in time', () => {
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    let woven: object = { type: 'string' };
    for (let level = 0; level < 60; level += 1) woven = { anyOf: [woven, woven] };
    const wide = { enum: Array.from({ length: 60_000 }, (_, index) => index) };
    for (const part of [deep, woven, wide]) {
      const definition = tool('a', { inputSchema: anySchema({ type: 'object', properties: { part } }) });
      expect(() => new ToolRegistry().register(definition)).toThrow(/nested more than|has more than/);
    }
  });

  it('whose accessors throw are refused by name', () => {
    const shown = {
      type: 'object',
      get title() {
        throw new Error('trap');
      },
    };
    expect(() => new ToolRegistry().register(tool('a', { inputSchema: anySchema(shown) }))).toThrow(/"a".*trap/);
  });
});

describe('hostile inputs', () => {
  const registry = new ToolRegistry();
  registry.register(tool('any'));

  it('that contain themselves, are too deep or too woven are refused', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['list'] = [cyclic];
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    let woven: unknown = 1;
    for (let level = 0; level < 60; level += 1) woven = [woven, woven];
    const expected = [
      [cyclic, 'contains itself'],
      [{ deep }, 'levels deep'],
      [{ woven }, 'more than 1000000 values'],
    ] as const;
    for (const [input, words] of expected) {
      const result = await registry.execute('any', input, {});
      expect(result).toMatchObject({ success: false, code: 'invalid_input' });
      expect(result.output).toContain(words);
      expect(registry.prepareExecution('any', input).success).toBe(false);
    }
  });

  it('may use one value twice', async () => {
    const shared = { x: 1 };
    expect(await registry.execute('any', { a: shared, b: [shared, shared] }, {})).toMatchObject({ success: true });
  });

  it('whose accessors throw are refused, and others are read once', async () => {
    const input = {
      get a() {
        throw new Error('trap');
      },
    };
    expect(await registry.execute('any', input, {})).toMatchObject({ success: false, code: 'invalid_input' });
    let reads = 0;
    const counting = {
      get a() {
        reads += 1;
        return reads;
      },
    };
    const prepared = registry.prepareExecution('any', counting);
    expect(prepared.success && prepared.prepared.input).toEqual({ a: 1 });
    expect(reads).toBe(1);
  });

  it('are bounded in what they make a refusal say', async () => {
    const strict = new ToolRegistry();
    const hint = 'h'.repeat(5_000);
    strict.register(tool('strict', { inputSchema: z.strictObject({ a: z.string() }), validationErrorHint: hint }));
    const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key_${index}`, 1]));
    for (const input of [keys, { a: 1 }, {}]) {
      const { output, error } = await strict.execute('strict', input, {});
      expect(output.length).toBeLessThanOrEqual(2_000);
      expect(error).toBe(output);
    }
    const many = new ToolRegistry();
    const issues = Array.from({ length: 100_000 }, () => ({
      message: 'm\n'.repeat(10_000),
      path: ['p'.repeat(100_000)],
    }));
    const inputSchema = { '~standard': { ...anySchema()['~standard'], validate: () => ({ issues }) } };
    many.register(tool('many', { inputSchema }));
    expect((await many.execute('many', { a: 1 }, {})).output.length).toBeLessThanOrEqual(2_000);
  });
});

describe('hostile tools', () => {
  it('do not reach the input of the caller or the reviewer', async () => {
    const registry = new ToolRegistry();
    registry.register(
      tool('mutate', {
        execute: (input) => {
          const own = input as { list: { x: number }[] };
          for (const item of own.list) item.x = 9;
          own.list.length = 0;
          return { success: true, output: '' };
        },
      }),
    );
    const raw = { list: [{ x: 1 }] };
    const prepared = registry.prepareExecution('mutate', raw);
    if (!prepared.success) throw new Error('not prepared');
    await registry.executePrepared(prepared.prepared, {});
    await registry.execute('mutate', raw, {});
    expect(raw).toEqual({ list: [{ x: 1 }] });
    expect(prepared.prepared.input).toEqual({ list: [{ x: 1 }] });
  });

  it('that throw the unreadable are read as far as it goes', async () => {
    const trap = new Proxy(
      {},
      {
        get() {
          throw new Error('trap');
        },
        getPrototypeOf() {
          throw new Error('trap');
        },
      },
    );
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const thrown = [trap, cyclic, Object.create(null), () => 1, { message: { toString: 1 } }];
    for (const error of thrown) {
      const registry = new ToolRegistry();
      registry.register(tool('a', { execute: () => Promise.reject(error) }));
      const result = await registry.execute('a', {}, {});
      expect(result).toMatchObject({ success: false, code: 'tool_error' });
      expect(result.output.length).toBeGreaterThan('"a" failed: '.length);
    }
  });

  it('cannot halve a character in the reason of a schema', async () => {
    const message = `${' '.repeat(1_299)}🦊`;
    const validate = () => ({ issues: [{ message: `a${message.slice(1)} b` }] });
    const registry = new ToolRegistry();
    registry.register(tool('a', { inputSchema: { '~standard': { ...anySchema()['~standard'], validate } } }));
    expect((await registry.execute('a', { x: 1 }, {})).output).not.toMatch(/\p{Surrogate}/u);
  });

  it('cannot flood the model with an error, nor halve a character of it', async () => {
    const registry = new ToolRegistry();
    const flood = '🦊'.repeat(1_000_000);
    registry.register([
      tool('throws', { execute: () => Promise.reject(new Error(flood)) }),
      tool('throws_odd', { execute: () => Promise.reject(new Error(`x${flood}`)) }),
      tool('throws_json', { execute: () => Promise.reject({ flood }) }),
      tool('returns', { execute: () => ({ success: false, output: 'o', error: flood }) }),
    ]);
    for (const name of registry.listNames()) {
      const { output, error = '' } = await registry.execute(name, {}, {});
      for (const text of [output, error]) {
        expect(text.length).toBeLessThanOrEqual(2_000);
        expect(() => encodeURIComponent(text)).not.toThrow();
      }
      expect(error).toContain('more characters]');
    }
  });

  it('cannot put half a character into a refusal, with which a provider would refuse every further request', async () => {
    const registry = new ToolRegistry();
    registry.register([
      tool('throws', { execute: () => Promise.reject(new Error('half \ud83e')) }),
      tool('strict', { inputSchema: z.strictObject({}) }),
    ]);
    const thrown = await registry.execute('throws', {}, {});
    expect([thrown.output, thrown.error]).toEqual(['"throws" failed: half \ufffd', '"throws" failed: half \ufffd']);
    const refused = await registry.execute('strict', { 'a\udd8a': 1 }, {});
    expect(refused.output).toContain('a\ufffd');
    expect(refused.output).not.toMatch(/\p{Surrogate}/u);
  });

  it('that return what cannot be read are answered as having run', async () => {
    const results = [
      {
        success: true,
        get output() {
          throw new Error('trap');
        },
      },
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('trap');
          },
        },
      ),
    ];
    for (const result of results) {
      const registry = new ToolRegistry();
      registry.register(tool('a', { execute: () => result as never }));
      expect(await registry.execute('a', {}, {})).toMatchObject({ success: false, code: 'invalid_result' });
    }
  });

  it('cannot change a result after a guardrail has seen it', async () => {
    const result = { success: true, output: 'harmless' };
    const inspect = () => {
      result.output = 'secret';
      return { kind: 'pass' as const };
    };
    const registry = new ToolRegistry({ resultGuardrails: [{ name: 'g', inspect }] });
    registry.register(tool('a', { execute: () => result }));
    expect((await registry.execute('a', {}, {})).output).toBe('harmless');
  });

  const rejecting = () => Promise.reject(new Error('full')) as never;
  it.each<[string, ToolRegistryConfig]>([
    ['logger', { logger: { warn: rejecting } }],
    ['end of a span', { telemetry: { startCall: () => ({ end: rejecting }) } }],
    ['span', { telemetry: { startCall: rejecting } }],
  ])('end no process when the %s that is told of them rejects', async (_, config) => {
    const unhandled = await unhandledIn(async () => {
      const registry = new ToolRegistry(config);
      registry.register(tool('a', { execute: () => Promise.reject(new Error('x')) }));
      expect(await registry.execute('a', {}, {})).toMatchObject({ code: 'tool_error' });
    });
    expect(unhandled).toEqual([]);
  });

  it('end no process when they are asked whether they write and reject', async () => {
    const unhandled = await unhandledIn(async () => {
      const registry = new ToolRegistry();
      registry.register(tool('a', { isReadOnly: (_input) => rejecting() }));
      const result = await registry.execute('a', {}, { permissionContext: { mode: 'plan' } });
      expect(result.code).toBe('read_only_mode');
    });
    expect(unhandled).toEqual([]);
  });

  it('may change the registry that runs them', async () => {
    const registry = new ToolRegistry();
    registry.register(
      tool('a', {
        execute: (_input, _context, call) => {
          call.registry.clear();
          call.registry.register(tool('b'));
          return { success: true, output: 'ok' };
        },
      }),
    );
    expect((await registry.execute('a', {}, {})).output).toBe('ok');
    expect(registry.listNames()).toEqual(['b']);
  });
});

describe('hosts that change the registry from inside a schema', () => {
  it('cannot register one name twice', () => {
    const registry = new ToolRegistry();
    const inner = tool('a');
    const sly = {
      '~standard': {
        ...anySchema()['~standard'],
        jsonSchema: {
          input: () => {
            registry.register(inner);
            return { type: 'object' };
          },
        },
      },
    };
    expect(() => registry.register(tool('a', { inputSchema: sly }))).toThrow(/already taken/);
    expect(registry.get('a')).toBe(inner);
    expect(registry.size()).toBe(1);
  });
});

describe('limits', () => {
  /** So many objects inside each other, the outermost with the given parts. */
  function nested(levels: number, parts: object = {}): object {
    let value: object = {};
    for (let level = 2; level < levels; level += 1) value = { items: value };
    return { ...parts, items: value };
  }
  const zeros = (length: number) => Array.from({ length }, () => 0);

  it.each([
    ['100 levels', nested(100, { type: 'object' }), nested(101, { type: 'object' })],
    ['50,000 values', { type: 'object', enum: zeros(49_997) }, { type: 'object', enum: zeros(49_998) }],
  ])('of a schema: %s', (_, most, tooMuch) => {
    const registry = new ToolRegistry();
    registry.register(tool('a', { inputSchema: anySchema(most) }));
    expect(() => registry.register(tool('b', { inputSchema: anySchema(tooMuch) }))).toThrow(/nested|more than/);
  });

  it.each([
    ['200 levels', nested(200), nested(201)],
    ['1,000,000 values', { zeros: zeros(999_998) }, { zeros: zeros(999_999) }],
  ])('of an input: %s', async (_, most, tooMuch) => {
    const registry = new ToolRegistry();
    registry.register(tool('a'));
    expect(await registry.execute('a', most, {})).toMatchObject({ success: true });
    expect(await registry.execute('a', tooMuch, {})).toMatchObject({ code: 'invalid_input', started: false });
  });
});

/** The rejections that nobody handled while something was done, and shortly after. */
async function unhandledIn(work: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    await work();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return unhandled;
}
