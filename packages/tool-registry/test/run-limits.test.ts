import { type ToolCall, type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tool } from './support.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tool that ends when the test says so. */
function hanging(parts: Partial<ToolDefinition> = {}) {
  const log: string[] = [];
  const registry = new ToolRegistry({ logger: { warn: (message) => log.push(message) } });
  let end: { resolve: (value: never) => void; reject: (error: unknown) => void } | undefined;
  let call: ToolCall | undefined;
  registry.register(
    tool('slow', {
      execute: (_input, _context, given) => {
        call = given;
        return new Promise((resolve, reject) => {
          end = { resolve, reject };
        });
      },
      ...parts,
    }),
  );
  return { registry, log, end: () => end, call: () => call };
}

describe('timeoutMs', () => {
  it('ends the waiting and tells the tool', async () => {
    const { registry, call } = hanging({ timeoutMs: 50 });
    const running = registry.execute('slow', {}, {});
    await vi.advanceTimersByTimeAsync(49);
    const signal = call()?.signal;
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const result = await running;
    expect(result).toMatchObject({ success: false, code: 'timeout' });
    expect(result.output).toContain('50 ms');
    expect(result.output).toContain('not known');
    expect(result.started).toBeUndefined();
    expect(signal?.aborted).toBe(true);
    expect(String(signal?.reason)).toContain('50 ms');
  });

  it('leaves no timer behind when the tool is in time', async () => {
    const registry = new ToolRegistry();
    registry.register(tool('fast', { timeoutMs: 1000 }));
    expect(await registry.execute('fast', {}, {})).toMatchObject({ success: true });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops a late result and says so in the log', async () => {
    for (const late of ['resolve', 'reject'] as const) {
      const { registry, log, end } = hanging({ timeoutMs: 5 });
      const running = registry.execute('slow', {}, {});
      await vi.advanceTimersByTimeAsync(5);
      expect((await running).code).toBe('timeout');
      end()?.[late]({ success: true, output: 'late' } as never);
      await vi.advanceTimersByTimeAsync(0);
      expect(log).toEqual([expect.stringContaining('after its call had ended')]);
    }
  });

  it('shows an aborted signal to a tool that looks late', async () => {
    const { registry, call } = hanging({ timeoutMs: 5 });
    const running = registry.execute('slow', {}, {});
    await vi.advanceTimersByTimeAsync(5);
    await running;
    expect(call()?.signal.aborted).toBe(true);
  });
});

describe('abortSignal', () => {
  it('keeps a call from beginning', async () => {
    const { registry, call } = hanging();
    const result = await registry.execute('slow', {}, { abortSignal: AbortSignal.abort() });
    expect(result).toMatchObject({ success: false, code: 'aborted', started: false });
    expect(result.output).toContain('did not run');
    expect(call()).toBeUndefined();
  });

  it('ends the waiting, with the reason in the signal of the call', async () => {
    const { registry, call } = hanging();
    const controller = new AbortController();
    const running = registry.execute('slow', {}, { abortSignal: controller.signal });
    const signal = call()?.signal;
    controller.abort('stop');
    const result = await running;
    expect(result).toMatchObject({ success: false, code: 'aborted' });
    expect(result.started).toBeUndefined();
    expect([signal?.aborted, signal?.reason]).toEqual([true, 'stop']);
  });

  it('is let go of when the call ends', async () => {
    const listeners = new Set<unknown>();
    const abortSignal = {
      aborted: false,
      addEventListener: (_type: string, listener: unknown) => void listeners.add(listener),
      removeEventListener: (_type: string, listener: unknown) => void listeners.delete(listener),
    };
    const { registry, end } = hanging();
    const running = registry.execute('slow', {}, { abortSignal });
    expect(listeners.size).toBe(1);
    end()?.resolve({ success: true, output: '' } as never);
    await running;
    expect(listeners.size).toBe(0);
  });
});

describe('a call', () => {
  const done = { success: true, output: 'done' };
  const failed = { success: false, code: 'tool_error', output: expect.stringContaining('broken') };
  const noResult = { success: false, code: 'invalid_result' };
  const broken = () => {
    throw new Error('broken');
  };
  const promiseLike = (then: unknown) => Object.fromEntries([['then', then]]);
  const tools: readonly (readonly [what: string, execute: () => unknown, result: object])[] = [
    ['returns', () => done, done],
    ['resolves', async () => done, done],
    ['gives a promise of its own make', () => promiseLike((resolve: (value: unknown) => void) => resolve(done)), done],
    ['throws', broken, failed],
    ['rejects', async () => broken(), failed],
    ['gives a promise that throws', () => promiseLike(broken), failed],
    ['gives nothing', () => undefined, noResult],
  ];

  it.each(tools)('ends alike with and without a limit when the tool %s', async (_, execute, result) => {
    const unlimited: Partial<ToolDefinition> = { execute: execute as ToolDefinition['execute'] };
    const abortSignal = new AbortController().signal;
    for (const parts of [unlimited, { ...unlimited, timeoutMs: 1_000 }]) {
      const registry = new ToolRegistry();
      registry.register(tool('a', parts));
      for (const context of [{}, { abortSignal }]) {
        const checked = registry.prepareExecution('a', {}, context);
        if (!checked.success) throw new Error(checked.result.output);
        expect(await registry.execute('a', {}, context)).toMatchObject(result);
        expect(await registry.executePrepared(checked.prepared, context)).toMatchObject(result);
      }
    }
  });

  it('does not blame the tool for a signal that throws', async () => {
    const { registry, call } = hanging();
    const abortSignal = { aborted: false, addEventListener: broken, removeEventListener: () => undefined };
    await expect(registry.execute('slow', {}, { abortSignal })).rejects.toThrow('broken');
    expect(call()).toBeUndefined();
  });
});
