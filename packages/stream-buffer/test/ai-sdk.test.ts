import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { aiSdkReader } from '@holdfast/stream-buffer/ai-sdk';
import { followToolCalls } from '@holdfast/stream-buffer/follow';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { flat, followAll } from './support/fixtures.js';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** The real streamText over a model that calls `note` with these texts, one step each. */
function run(steps: readonly (readonly string[])[], reason: 'tool-calls' | 'length' = 'tool-calls') {
  let asked = 0;
  const model = new MockLanguageModelV4({
    doStream: async () => {
      const pieces = steps[asked++] ?? [];
      const input = pieces.join('');
      return {
        stream: convertArrayToReadableStream([
          { type: 'stream-start' as const, warnings: [] },
          { type: 'tool-input-start' as const, id: 'call_0', toolName: 'note' },
          ...pieces.map((delta) => ({ type: 'tool-input-delta' as const, id: 'call_0', delta })),
          { type: 'tool-input-end' as const, id: 'call_0' },
          { type: 'tool-call' as const, toolCallId: 'call_0', toolName: 'note', input },
          { type: 'finish' as const, finishReason: { unified: reason, raw: reason }, usage },
        ]),
      };
    },
  });
  const inputSchema = jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } } });
  const note = tool({ inputSchema, execute: async () => 'noted' });
  return streamText({
    model,
    prompt: 'go',
    tools: { note },
    stopWhen: stepCountIs(steps.length),
    onError: () => undefined,
  });
}

async function collect<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('streamText', () => {
  const steps = [
    ['{"text": "', '==', '==', '"}'],
    ['{"text":"x', '"}'],
  ];
  const expected = ['====', 'x'].map((text) => ({
    id: 'call_0',
    name: 'note',
    kind: 'complete',
    parsed: { text },
    differs: false,
  }));

  it('is followed by its full stream over steps, also with ids that come again', async () => {
    expect(followAll(await collect(run(steps).fullStream), aiSdkReader()).map(flat)).toMatchObject(expected);
  });

  it('is followed by its stream of UI messages', async () => {
    const parts = await collect(run(steps).toUIMessageStream());
    expect(parts.map(({ type }) => type)).toContain('tool-input-delta');
    expect(followAll(parts, aiSdkReader()).map(flat)).toMatchObject(expected);
  });

  it.each(['full', 'UI'])('that is cut is judged by what came: %s', async (kind) => {
    const result = run([['{"text":"ab']], 'length');
    const parts = await collect<{ readonly type: string }>(
      kind === 'UI' ? result.toUIMessageStream() : result.fullStream,
    );
    const calls = followAll(parts, aiSdkReader()).map(flat);
    expect(calls).toMatchObject([{ id: 'call_0', kind: 'truncated', closedJson: '{"text":"ab"}', differs: false }]);
  });
});

describe('a stream of UI messages', () => {
  it('is over when it finishes without a reason, and a step of it is not', () => {
    const follower = followToolCalls(new StreamingToolCallBuffer(), aiSdkReader());
    follower.push({ type: 'start-step' });
    follower.push({ type: 'tool-input-start', toolCallId: 'a', toolName: 'f' });
    follower.push({ type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"x":1}' });
    expect(follower.push({ type: 'finish-step' })).toEqual([]);
    expect(follower.push({ type: 'finish' })).toMatchObject([{ id: 'a', verdict: { kind: 'complete' } }]);
    expect(follower.end()).toEqual([]);
  });
});
