import { type FlushLoopResult, runFlushLoop } from '@holdfast/flush-loop';
import type { AIMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opening, plainTool, type Reply, toMessage } from './support/scripted.js';
import { transcriptFaults } from './support/transcript.js';

const settings = { numRuns: Number(process.env['HOLDFAST_FUZZ_RUNS'] ?? 1_000) };

const id = fc.option(fc.constantFrom('a', 'b', 'c', '', ' ', 'holdfast_call_1', 'a_2', 'x'.repeat(60)), {
  nil: undefined,
});
const name = fc.constantFrom('memory_append', 'memory_append', 'memory_read', 'unknown', '', '__proto__', 'toString');
const args = fc.oneof(
  fc.record({ what: fc.constantFrom('ok', 'fail', 'throw', 'throw-odd', 'nothing', 'blocks'), pad: fc.string() }),
  fc.constantFrom(null, undefined, 'text', [1]),
);
const call = fc.record({ name, args, id });
const invalidCall = fc.record({ name: fc.option(name, { nil: undefined }), args: fc.constant('{"t'), id });
const reply = fc.record({
  content: fc.oneof(
    fc.constantFrom('', 'Saving.', 'NO_REPLY'),
    fc.constant([
      { type: 'tool_use', id: 'a', name: 'memory_append', input: {} },
      { type: 'text', text: 'no_reply' },
    ]),
  ),
  tool_calls: fc.array(call, { maxLength: 4 }),
  invalid_tool_calls: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(invalidCall, { maxLength: 2 }) },
  ),
});
const script = fc.array(fc.oneof({ weight: 8, arbitrary: reply }, { weight: 1, arbitrary: fc.constant('down') }), {
  maxLength: 6,
});
const options = fc.record(
  {
    onCap: fc.constantFrom('stop' as const, 'final-answer' as const),
    maxIdenticalCalls: fc.integer({ min: 1, max: 3 }),
    maxAppendedChars: fc.integer({ min: 1, max: 100 }),
    maxToolResultChars: fc.integer({ min: 1, max: 20 }),
    parallelTools: fc.constantFrom([], ['memory_read'], ['memory_read', 'memory_append']),
  },
  { requiredKeys: [] },
);

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (descriptor && 'value' in descriptor) deepFreeze(descriptor.value);
  }
  return value;
}

/** A tool that does what its arguments say, and scribbles on them. */
function obey(received: Record<string, unknown>): unknown {
  const { what } = received;
  received['scribble'] = true;
  delete received['pad'];
  if (what === 'fail') return '{"ok":false,"error":"asked to fail"}';
  if (what === 'throw') throw new Error('asked to throw');
  if (what === 'throw-odd') throw Object.create(null);
  if (what === 'nothing') return undefined;
  if (what === 'blocks')
    return [
      { type: 'text', text: '{"ok":' },
      { type: 'text', text: 'false}' },
    ];
  return { ok: true, path: 'memory/a.md' };
}

interface World {
  readonly result: FlushLoopResult;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** Runs a script on frozen input, and calls `tick` at each point at which the outside world could act. */
async function play(
  replies: readonly unknown[],
  maxIterations: number,
  more: object,
  tick: () => void = () => {},
): Promise<World> {
  let modelCalls = 0;
  let toolCalls = 0;
  const script = replies.map((entry) =>
    entry === 'down' ? new Error('down') : deepFreeze(toMessage(entry as Exclude<Reply, Error>)),
  );
  const model = {
    invoke: async (): Promise<AIMessage> => {
      tick();
      const next = script[modelCalls++] ?? toMessage('done');
      await null;
      tick();
      if (next instanceof Error) throw next;
      return next;
    },
  };
  const tools = ['memory_append', 'memory_read'].map((toolName) =>
    plainTool(toolName, async (received) => {
      toolCalls += 1;
      tick();
      await null;
      tick();
      return obey(received);
    }),
  );
  const initialMessages = deepFreeze(opening());
  const result = await runFlushLoop({
    model,
    tools: Object.freeze(tools) as typeof tools,
    initialMessages,
    maxIterations,
    ...more,
  });
  expect(result.messages.slice(0, initialMessages.length)).toEqual(initialMessages);
  return { result, modelCalls, toolCalls };
}

/** How many calls the replies of a script make, seen from the transcript. */
function emitted(result: FlushLoopResult): { name: string }[] {
  return result.messages.flatMap((message) => (message as AIMessage).tool_calls ?? []);
}

function checkCounts({ result, modelCalls, toolCalls }: World, cap: number): void {
  const answered = result.messages.filter((message) => message.getType() === 'tool');
  expect(transcriptFaults(result.messages)).toEqual([]);
  expect(result.iterations).toBe(modelCalls);
  expect(result.iterations).toBeLessThanOrEqual(cap);
  expect(emitted(result)).toHaveLength(answered.length);
  expect(toolCalls).toBeLessThanOrEqual(answered.length);
  const failedAppends = result.toolErrors.filter(({ toolName }) => toolName === 'memory_append').length;
  expect(result.appendsAttempted).toBe(emitted(result).filter((one) => one.name === 'memory_append').length);
  expect(result.appendsAttempted).toBe(result.appendsSucceeded + failedAppends);
  const failedAnswers = answered.filter((message) => (message as unknown as { status: string }).status === 'error');
  expect(result.toolErrors.map(({ toolCallId }) => toolCallId)).toEqual(
    failedAnswers.map((message) => (message as unknown as { tool_call_id: string }).tool_call_id),
  );
}

describe('over random models and tools', () => {
  it('each call is answered once and in order, the cap holds, the counts agree, and nothing given is changed', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.integer({ min: 1, max: 5 }), options, async (replies, maxIterations, more) => {
        const world = await play(replies, maxIterations, more);
        checkCounts(world, maxIterations + (more.onCap === 'final-answer' ? 1 : 0));
        expect(world.result.hitIterationCap).toBe(
          world.result.iterations > maxIterations || world.result.stopReason === 'iteration_cap',
        );
        expect('error' in world.result).toBe(world.result.stopReason === 'model_error');
      }),
      settings,
    );
  });

  it('an abort at any point leaves a valid transcript and true counts', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.nat({ max: 20 }), async (replies, abortAt) => {
        const controller = new AbortController();
        let ticks = 0;
        const tick = () => {
          if (ticks++ === abortAt) controller.abort();
        };
        const world = await play(replies, 4, { signal: controller.signal }, tick);
        checkCounts(world, 4);
        if (controller.signal.aborted) expect(world.result.stopReason).toBe('aborted');
        else expect(world.result.stopReason).not.toBe('aborted');
      }),
      settings,
    );
  });

  it('the same script gives the same transcript', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (replies) => {
        const [first, second] = [await play(replies, 3, {}), await play(replies, 3, {})];
        expect(JSON.stringify(second.result.messages)).toBe(JSON.stringify(first.result.messages));
      }),
      { ...settings, numRuns: 200 },
    );
  });
});

describe('the validator itself', () => {
  it('finds what it looks for', () => {
    const ai = (...ids: string[]) => ({ getType: () => 'ai', tool_calls: ids.map((one) => ({ id: one })) });
    const answer = (one: string) => ({ getType: () => 'tool', tool_call_id: one, content: '' });
    expect(transcriptFaults([ai('a', 'b'), answer('a'), answer('b')])).toEqual([]);
    const broken = [
      [ai('a')],
      [ai('a'), ai()],
      [answer('a')],
      [ai('a', 'b'), answer('b'), answer('a')],
      [ai('a'), answer('a'), answer('a')],
      [ai('a'), answer('a'), ai('a'), answer('a')],
      [ai(''), answer('')],
    ];
    for (const transcript of broken) expect(transcriptFaults(transcript)).not.toEqual([]);
  });
});
