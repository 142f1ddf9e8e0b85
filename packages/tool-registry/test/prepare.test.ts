import {
  type PreparedToolExecution,
  type ToolContext,
  type ToolDefinition,
  ToolRegistry,
} from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from './support.js';

const plan: ToolContext = { permissionContext: { mode: 'plan' } };

function recorder(parts: Partial<ToolDefinition> = {}) {
  const ran: unknown[] = [];
  const registry = new ToolRegistry();
  registry.register(
    tool('write', {
      inputSchema: z.object({ to: z.array(z.string()), more: z.unknown().optional() }),
      execute: (input) => {
        ran.push(input);
        return { success: true, output: 'done' };
      },
      ...parts,
    }),
  );
  return { registry, ran };
}

function prepare(registry: ToolRegistry, input: unknown = { to: ['a'] }): PreparedToolExecution {
  const result = registry.prepareExecution('write', input);
  if (!result.success) throw new Error(result.result.output);
  return result.prepared;
}

describe('prepareExecution', () => {
  it('gives the validated input, deeply frozen, and runs nothing', () => {
    const { registry, ran } = recorder();
    const prepared = prepare(registry, { to: ['a'], more: { deep: [{}] }, unknown: 1 });
    expect(prepared).toEqual({ toolName: 'write', input: { to: ['a'], more: { deep: [{}] } } });
    const input = prepared.input as { to: string[]; more: { deep: object[] } };
    for (const part of [prepared, input, input.to, input.more, input.more.deep, input.more.deep[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(ran).toEqual([]);
  });

  it('checks known, available, valid', () => {
    const { registry } = recorder();
    const code = (name: string, input: unknown) => {
      const result = registry.prepareExecution(name, input);
      return result.success ? 'ok' : result.result.code;
    };
    expect(code('nope', {})).toBe('unknown_tool');
    registry.defer(['write']);
    expect(code('write', {})).toBe('deferred');
    registry.activate(['write']);
    registry.suspendAll();
    expect(code('write', {})).toBe('suspended');
    registry.activate(['write']);
    expect(code('write', { to: 'a' })).toBe('invalid_input');
    expect(code('write', { to: ['a'] })).toBe('ok');
  });

  it('shows no other name and no schema as long as the caller is not known', () => {
    const { registry } = recorder();
    registry.defer(['write']);
    const text = JSON.stringify([registry.prepareExecution('writ', {}), registry.prepareExecution('write', {})]);
    expect(text).not.toContain('nearNames');
    expect(text).not.toContain('schema');
  });

  it('checks all and shows what the caller may see when it is', () => {
    const { registry } = recorder();
    const refusalFor = (context: ToolContext, name = 'write') => {
      const result = registry.prepareExecution(name, { to: ['a'] }, context);
      return result.success ? undefined : result.result;
    };
    expect(refusalFor({})).toBeUndefined();
    expect(refusalFor({}, 'writ')?.output).toContain('Did you mean write?');
    expect(refusalFor({ allowedTools: [] })?.code).toBe('not_allowed');
    expect(refusalFor(plan)?.code).toBe('read_only_mode');
    registry.defer(['write']);
    expect(refusalFor({})?.output).toContain('Its input schema is: {');
    expect(refusalFor({ allowedTools: [] })?.output).not.toContain('schema');
  });
});

describe('executePrepared', () => {
  it('runs on an equal copy of its own, whatever happens to the raw input', async () => {
    const { registry, ran } = recorder();
    const raw = { to: ['a'], more: { x: [1] } };
    const prepared = prepare(registry, raw);
    raw.to.push('evil');
    raw.more.x.push(2);
    expect(await registry.executePrepared(prepared, {})).toEqual({ success: true, output: 'done' });
    expect(ran).toEqual([prepared.input]);
    expect(ran[0]).toEqual({ to: ['a'], more: { x: [1] } });
    expect(ran[0]).not.toBe(prepared.input);
    expect(Object.isFrozen(ran[0])).toBe(false);
  });

  it('hands the context that it was given to the tool', async () => {
    const context = { allowedTools: ['write'], user: 'u', abortSignal: AbortSignal.abort('stop') };
    let seen: unknown;
    const { registry } = recorder({
      execute: (_, given) => {
        seen = given;
        return { success: true, output: 'done' };
      },
    });
    expect(await registry.executePrepared(prepare(registry), context)).toMatchObject({ code: 'aborted' });
    const running = { ...context, abortSignal: undefined };
    await registry.executePrepared(prepare(registry), running);
    expect(seen).toBe(running);
  });

  it('runs once', async () => {
    const { registry, ran } = recorder();
    const prepared = prepare(registry);
    const [first, second] = await Promise.allSettled([
      registry.executePrepared(prepared, {}),
      registry.executePrepared(prepared, {}),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { success: true } });
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { code: 'ERR_HOLDFAST_TOOL_PREPARATION', reason: 'used' },
    });
    expect(ran).toHaveLength(1);
  });

  it('belongs to its registry: not to a fork, a copy or a look-alike', async () => {
    const { registry, ran } = recorder();
    const prepared = prepare(registry);
    const foreign = { code: 'ERR_HOLDFAST_TOOL_PREPARATION', reason: 'foreign' };
    await expect(registry.fork().executePrepared(prepared, {})).rejects.toMatchObject(foreign);
    await expect(registry.executePrepared({ ...prepared }, {})).rejects.toMatchObject(foreign);
    await expect(registry.executePrepared(null as never, {})).rejects.toMatchObject(foreign);
    expect(ran).toEqual([]);
    expect(await registry.executePrepared(prepared, {})).toMatchObject({ success: true });
  });

  it('checks allowed, available and read-only mode again, and is spent by a refusal', async () => {
    const { registry, ran } = recorder();
    const refused = async (change: () => void, context: ToolContext) => {
      const prepared = prepare(registry);
      change();
      const { code } = await registry.executePrepared(prepared, context);
      registry.activate(['write']);
      await expect(registry.executePrepared(prepared, {})).rejects.toMatchObject({ reason: 'used' });
      return code;
    };
    const nothing = () => undefined;
    expect(await refused(nothing, { allowedTools: [] })).toBe('not_allowed');
    expect(await refused(() => registry.defer(['write']), {})).toBe('deferred');
    expect(await refused(() => registry.suspendAll(), {})).toBe('suspended');
    expect(await refused(nothing, plan)).toBe('read_only_mode');
    expect(ran).toEqual([]);
  });

  it('does not believe in plan mode what an untrusted server says of its tool', async () => {
    const { registry } = recorder({ isReadOnly: () => true, provenance: { server: 's' } });
    expect(await registry.executePrepared(prepare(registry), plan)).toMatchObject({ code: 'read_only_mode' });
  });

  it('asks whether this very input is read-only', async () => {
    const isReadOnly = (input: unknown) => (input as { to: string[] }).to.length === 0;
    const { registry } = recorder({ isReadOnly });
    expect(await registry.executePrepared(prepare(registry, { to: [] }), plan)).toMatchObject({ success: true });
    expect(await registry.executePrepared(prepare(registry), plan)).toMatchObject({ code: 'read_only_mode' });
  });

  it('does not run a tool that was removed or replaced since', async () => {
    const { registry, ran } = recorder();
    const before = registry.getOrThrow('write');
    const replaced = prepare(registry);
    registry.replace({ ...before });
    expect(await registry.executePrepared(replaced, {})).toMatchObject({ code: 'changed', retryable: true });
    const removed = prepare(registry);
    registry.unregister('write');
    expect(await registry.executePrepared(removed, {})).toMatchObject({ code: 'unknown_tool' });
    expect(ran).toEqual([]);
  });

  it('is not spent by a malformed context', async () => {
    const { registry } = recorder();
    const prepared = prepare(registry);
    await expect(registry.executePrepared(prepared, { allowedTools: 'x' } as never)).rejects.toThrow();
    expect(await registry.executePrepared(prepared, {})).toMatchObject({ success: true });
  });
});

describe('the copies', () => {
  it('hold dates, maps, sets, bytes and bare objects, and share instances', async () => {
    class Box {}
    const box = new Box();
    const bare = Object.assign(Object.create(null), { x: 1 });
    const more = {
      at: new Date(5),
      map: new Map([['k', [1]]]),
      set: new Set([1]),
      bytes: new Uint8Array([1]),
      bare,
      box,
    };
    const { registry, ran } = recorder();
    const prepared = prepare(registry, { to: [], more });
    more.at.setTime(9);
    more.map.get('k')?.push(2);
    more.set.add(2);
    more.bytes[0] = 9;
    await registry.executePrepared(prepared, {});
    const expected = {
      at: new Date(5),
      map: new Map([['k', [1]]]),
      set: new Set([1]),
      bytes: new Uint8Array([1]),
      bare: { x: 1 },
      box,
    };
    for (const input of [prepared.input, ran[0]]) {
      expect(input).toMatchObject({ more: expected });
      expect((input as { more: typeof more }).more.box).toBe(box);
    }
    const seen = prepared.input as { more: typeof more };
    expect((ran[0] as { more: typeof more }).more.map.get('k')).not.toBe(seen.more.map.get('k'));
    expect(Object.getPrototypeOf(seen.more.bare)).toBeNull();
  });

  it('do not share memory with a Buffer', () => {
    const { registry } = recorder();
    const bytes = Buffer.from('a');
    const prepared = prepare(registry, { to: [], more: bytes });
    bytes[0] = 0;
    expect((prepared.input as { more: Buffer }).more[0]).toBe(97);
  });
});
