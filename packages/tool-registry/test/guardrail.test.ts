import {
  type ToolDefinition,
  ToolRegistry,
  type ToolResultGuardrail,
  type ToolResultView,
} from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { tool } from './support.js';

const result = { success: true, output: 'o', content: [{ type: 'text', text: 'c' }], data: { d: 1 }, error: 'e' };

async function run(
  guardrails: ToolResultGuardrail[],
  execute: ToolDefinition['execute'] = () => result,
  own: ToolResultGuardrail[] = [],
) {
  const log: string[] = [];
  const logger = { warn: (message: string) => log.push(message) };
  const registry = new ToolRegistry({ resultGuardrails: guardrails, logger });
  registry.register(tool('a', { execute }));
  return { result: await registry.execute('a', {}, { resultGuardrails: own, toolUseId: 'call_1' }), log };
}

const guardrail = (inspect: (view: ToolResultView) => unknown): ToolResultGuardrail => ({
  name: 'test',
  inspect: inspect as ToolResultGuardrail['inspect'],
});

describe('a guardrail', () => {
  it('sees everything of a result', async () => {
    const seen: unknown[] = [];
    const pass = guardrail((view) => {
      seen.push(view);
      return { kind: 'pass' };
    });
    expect((await run([pass])).result).toEqual(result);
    expect(seen).toEqual([{ toolName: 'a', toolUseId: 'call_1', ...result }]);
  });

  it('sees what a tool has thrown', async () => {
    let error: string | undefined;
    const look = guardrail((view) => {
      error = view.error;
      return { kind: 'refuse' };
    });
    const outcome = await run([look], () => Promise.reject(new Error('password is hunter2')));
    expect(error).toContain('hunter2');
    expect(JSON.stringify(outcome.result)).not.toContain('hunter2');
  });

  it('withholds a result and says that the tool ran', async () => {
    const outcome = await run([guardrail(async () => ({ kind: 'refuse', reason: 'secret\nfound' }))]);
    expect(outcome.result).toEqual({
      success: false,
      output: '"a" ran, and its result was withheld: secret found',
      error: '"a" ran, and its result was withheld: secret found',
      code: 'withheld',
      retryable: false,
    });
    expect(outcome.log).toEqual(['Guardrail "test" withheld a result']);
  });

  it.each([undefined, null, true, 'pass', {}, { kind: 'ok' }, { kind: 'replace' }, { kind: 'replace', result: {} }])(
    'refuses with the unknown verdict %j',
    async (verdict) => {
      const outcome = await run([guardrail(() => verdict)]);
      expect(outcome.result).toMatchObject({ success: false, code: 'withheld' });
      expect(outcome.result).not.toHaveProperty('data');
      expect(outcome.result).not.toHaveProperty('content');
    },
  );

  it('refuses when it throws or rejects', async () => {
    const broken = [
      guardrail(() => {
        throw new Error('down');
      }),
      guardrail(() => Promise.reject(new Error('down'))),
    ];
    for (const one of broken) expect((await run([one])).result.code).toBe('withheld');
  });

  it('is refused before anything runs when it is none', async () => {
    let runs = 0;
    const execute = () => {
      runs++;
      return result;
    };
    for (const one of [{} as ToolResultGuardrail, null as never]) {
      await expect(run([one], execute)).rejects.toMatchObject({ option: 'resultGuardrails' });
      await expect(run([], execute, [one])).rejects.toMatchObject({ option: 'context.resultGuardrails' });
    }
    expect(runs).toBe(0);
  });

  it('sees copies, so that the tool cannot change what has passed', async () => {
    const own = { success: true, output: 'o', content: [{ text: 'clean' }], data: { value: 'clean' } };
    const pass = guardrail(async () => {
      own.content.push({ text: 'secret' });
      own.data.value = 'secret';
      return { kind: 'pass' };
    });
    const outcome = await run([pass], () => own);
    expect(outcome.result).toEqual({
      success: true,
      output: 'o',
      content: [{ text: 'clean' }],
      data: { value: 'clean' },
    });
    expect((await run([], () => own)).result.data).toBe(own.data);
  });

  it('withholds what cannot be copied, and says so in the log', async () => {
    const data: Record<string, unknown> = {};
    data['self'] = data;
    const outcome = await run([guardrail(() => ({ kind: 'pass' }))], () => ({ ...result, data }));
    expect(outcome.result.code).toBe('withheld');
    expect(outcome.log).toEqual([expect.stringContaining('cannot be copied')]);
  });

  it('replaces a result; the next one sees the replacement, and what it left out is gone', async () => {
    const seen: unknown[] = [];
    const clean = guardrail(() => ({ kind: 'replace', result: { output: 'clean' } }));
    const next = guardrail((view) => {
      seen.push(view.output, view.data);
      return { kind: 'pass' };
    });
    const outcome = await run([clean], () => ({ ...result, own: 'x' }) as never, [next]);
    expect(seen).toEqual(['clean', undefined]);
    expect(outcome.result).toEqual({ success: true, output: 'clean' });
  });

  it('can put every field in place', async () => {
    const by = { output: 'x', error: 'y', data: 0, content: [] };
    expect((await run([guardrail(() => ({ kind: 'replace', result: by }))])).result).toEqual({ success: true, ...by });
  });

  it('comes first when it is the registry’s, and the first refusal ends it', async () => {
    const order: string[] = [];
    const named = (name: string, kind: string) =>
      guardrail(() => {
        order.push(name);
        return { kind };
      });
    await run([named('registry', 'pass')], undefined, [named('context', 'refuse'), named('never', 'pass')]);
    expect(order).toEqual(['registry', 'context']);
  });

  it('that never answers is not waited for once the caller gives up, and the result stays back', async () => {
    const caller = new AbortController();
    const hanging = guardrail(() => {
      caller.abort();
      return new Promise(() => {});
    });
    const registry = new ToolRegistry({ resultGuardrails: [hanging] });
    registry.register(tool('a', { execute: () => result }));
    const outcome = await registry.execute('a', {}, { abortSignal: caller.signal });
    const said = '"a" ran, and the call was aborted before its result had passed the guardrails.';
    expect(outcome).toEqual({ success: false, output: said, error: said, code: 'aborted' });
  });
});
