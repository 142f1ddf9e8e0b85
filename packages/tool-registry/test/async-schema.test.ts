import { type ToolDefinition, type ToolInputSchema, ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anySchema, tool } from './support.js';

/** A schema whose verdicts the test gives by hand. */
function heldSchema() {
  const verdicts: ((verdict: unknown) => void)[] = [];
  const inputs: unknown[] = [];
  const inputSchema = {
    '~standard': {
      ...anySchema()['~standard'],
      validate: (value: unknown) => {
        inputs.push(value);
        return new Promise((resolve) => verdicts.push(resolve as (verdict: unknown) => void));
      },
    },
  } as ToolInputSchema;
  const answer = (verdict: unknown = { value: inputs.at(-1) }) => verdicts.pop()?.(verdict);
  return { inputSchema, answer, inputs };
}

function registryOf(parts: Partial<ToolDefinition>) {
  const ran: unknown[] = [];
  const registry = new ToolRegistry();
  const execute = (input: unknown) => {
    ran.push(input);
    return { success: true, output: 'done' };
  };
  registry.register(tool('write', { execute, ...parts }));
  return { registry, ran };
}

const refined = z.object({ to: z.string().refine(async (to) => to.includes('@'), 'no address') });

describe('a schema that validates asynchronously', () => {
  it('is waited for by execute', async () => {
    const { registry, ran } = registryOf({ inputSchema: refined });
    expect(await registry.execute('write', { to: 'a@b' }, {})).toMatchObject({ success: true });
    const refused = await registry.execute('write', { to: 'a' }, {});
    expect(refused).toMatchObject({ success: false, code: 'invalid_input', retryable: true, started: false });
    expect(refused.output).toContain('- /to: no address');
    expect(ran).toEqual([{ to: 'a@b' }]);
  });

  it('is waited for by prepareExecutionAsync, whose preparation runs once on what was reviewed', async () => {
    const { registry, ran } = registryOf({ inputSchema: refined });
    const result = await registry.prepareExecutionAsync('write', { to: 'a@b' }, {});
    if (!result.success) throw new Error(result.result.output);
    expect(Object.isFrozen(result.prepared.input)).toBe(true);
    expect(result.prepared).toEqual({ toolName: 'write', input: { to: 'a@b' } });
    expect(await registry.executePrepared(result.prepared, {})).toMatchObject({ success: true });
    await expect(registry.executePrepared(result.prepared, {})).rejects.toMatchObject({ reason: 'used' });
    expect(ran).toEqual([{ to: 'a@b' }]);
  });

  it('is not waited for when the call was aborted before it began', async () => {
    const { registry } = registryOf({ inputSchema: heldSchema().inputSchema });
    const refused = await registry.execute('write', {}, { abortSignal: AbortSignal.abort() });
    expect(refused).toMatchObject({ code: 'aborted', started: false });
    expect(refused.output).toContain('the check of its input was aborted');
  });

  it('is refused by prepareExecution, also when it rejects later', async () => {
    for (const inputSchema of [refined, answering(Promise.reject(new Error('late')))]) {
      const { registry } = registryOf({ inputSchema });
      const result = registry.prepareExecution('write', { to: 'a@b' });
      expect(result).toMatchObject({ success: false, result: { code: 'invalid_input', retryable: false } });
      expect(!result.success && result.result.output).toContain('asynchronously');
    }
    await new Promise(setImmediate); // an unhandled rejection would fail the run
  });

  it('that rejects is an invalid input', async () => {
    const { registry } = registryOf({ inputSchema: answering(Promise.reject(new Error('lookup failed'))) });
    const result = await registry.execute('write', { to: 1 }, {});
    expect(result).toMatchObject({ code: 'invalid_input', started: false });
    expect(result.output).toContain('lookup failed');
  });

  it('is waited for no longer than the caller waits, and the tool does not run', async () => {
    const { inputSchema, answer } = heldSchema();
    const { registry, ran } = registryOf({ inputSchema });
    const abort = new AbortController();
    const running = registry.execute('write', {}, { abortSignal: abort.signal });
    const preparing = registry.prepareExecutionAsync('write', {}, { abortSignal: abort.signal });
    abort.abort();
    expect(await running).toMatchObject({ code: 'aborted', started: false });
    expect(await preparing).toMatchObject({ success: false, result: { code: 'aborted', started: false } });
    answer();
    answer();
    await new Promise(setImmediate);
    expect(ran).toEqual([]);
  });

  it('is not waited for when the caller has given up before', async () => {
    const { inputSchema } = heldSchema();
    const { registry } = registryOf({ inputSchema });
    const context = { abortSignal: AbortSignal.abort() };
    expect(await registry.execute('write', {}, context)).toMatchObject({ code: 'aborted', started: false });
    expect(await registry.prepareExecutionAsync('write', {}, context)).toMatchObject({ success: false });
  });

  it('is waited for no longer than the tool may take', async () => {
    const { inputSchema } = heldSchema();
    const { registry } = registryOf({ inputSchema, timeoutMs: 5 });
    expect(await registry.execute('write', {}, {})).toMatchObject({ code: 'timeout', started: false });
  });

  it('does not let a tool run that was suspended, deferred, removed or replaced meanwhile', async () => {
    const changes: [string, (registry: ToolRegistry) => void][] = [
      ['suspended', (registry) => registry.suspendAll()],
      ['deferred', (registry) => registry.defer(['write'])],
      ['unknown_tool', (registry) => void registry.unregister('write')],
      ['changed', (registry) => registry.replace(tool('write'))],
    ];
    for (const [code, change] of changes) {
      const { inputSchema, answer } = heldSchema();
      const { registry, ran } = registryOf({ inputSchema });
      const running = registry.execute('write', {}, {});
      change(registry);
      answer();
      expect(await running).toMatchObject({ code, started: false });
      expect(ran).toEqual([]);
    }
  });

  it('is asked after the read-only mode, and its value before isReadOnly', async () => {
    const { inputSchema, answer, inputs } = heldSchema();
    const plan = { permissionContext: { mode: 'plan' } };
    const writer = registryOf({ inputSchema });
    expect(await writer.registry.execute('write', {}, plan)).toMatchObject({ code: 'read_only_mode' });
    expect(inputs).toEqual([]);
    const reader = registryOf({ inputSchema, isReadOnly: (input) => (input as { dry: boolean }).dry });
    for (const [dry, success] of [
      [true, true],
      [false, false],
    ]) {
      const running = reader.registry.execute('write', { dry }, plan);
      answer();
      expect((await running).success).toBe(success);
    }
  });
});

describe('the input that a tool gets', () => {
  it('is never shared with a schema that hands out what it keeps, or what it was given', async () => {
    const kept = { list: [1] };
    const given: unknown[] = [];
    const spoil = (input: unknown) => {
      (input as { list: unknown[] }).list.push('spoilt');
      return { success: true, output: '' };
    };
    const keeping = registryOf({ inputSchema: answering({ value: kept }), execute: spoil });
    await keeping.registry.execute('write', {}, {});
    expect(kept).toEqual({ list: [1] });
    const remembering = {
      '~standard': {
        ...anySchema()['~standard'],
        validate: (value: unknown) => ({ value: given[given.push(value) - 1] }),
      },
    } as ToolInputSchema;
    const raw = { list: [1] };
    const passing = registryOf({ inputSchema: remembering, execute: spoil });
    await passing.registry.execute('write', raw, {});
    expect(raw).toEqual({ list: [1] });
  });
});

function answering(verdict: unknown): ToolInputSchema {
  return { '~standard': { ...anySchema()['~standard'], validate: () => verdict } } as ToolInputSchema;
}
