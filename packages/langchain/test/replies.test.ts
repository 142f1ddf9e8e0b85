import type { BrokenReply, HoldfastOptions, ReplyOptions } from '@holdfast/langchain';
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { checkedModelCall } from '../src/reply/checked-model-call.js';
import { answers, calls, counted, createAgent, go, observed, scripted, type Turn, thread } from './support/harness.js';

/** A reply as it is put together from a stream: LangChain closes a cut text by itself. */
function streamed(...parts: readonly { id?: string; name?: string; args: string; index?: number }[]): AIMessageChunk {
  return new AIMessageChunk({
    content: '',
    tool_call_chunks: parts.map((part) => ({ type: 'tool_call_chunk' as const, ...part })),
  });
}

async function run(turns: readonly Turn[], options: ReplyOptions | false = {}, extra: HoldfastOptions = {}) {
  const send = counted('send', (_input, n) => `sent ${n}`);
  const { model, seen } = scripted(...turns);
  const reports: BrokenReply[] = [];
  const replies = options && { onBrokenReply: (report: BrokenReply) => reports.push(report), ...options };
  const watch = observed({ ...extra, replies });
  const agent = createAgent({ model, tools: [send.tool], middleware: [watch.middleware] });
  const { messages } = await agent.invoke(go(), thread('a'));
  return { ...watch, send, seen, model, messages, reports };
}

const CUT = '{"text":"hello wor';
const WHOLE = '{"text":"hello world"}';

describe('a cut call', () => {
  it('does not run; the model is asked again and told what broke, and the state keeps only the whole reply', async () => {
    const { send, seen, messages, reports } = await run([
      streamed({ id: 'c1', name: 'send', args: CUT, index: 0 }),
      streamed({ id: 'c2', name: 'send', args: WHOLE, index: 0 }),
      'done',
    ]);
    expect(send.runs).toEqual([{ text: 'hello world' }]);
    const [asked, reply, correction] = seen(1);
    expect(asked?.content).toBe('go');
    expect((reply as AIMessage).tool_calls).toMatchObject([{ id: 'c1', name: 'send', args: { text: 'hello wor' } }]);
    expect(correction?.content).toBe(
      'send was not run: its arguments were cut off after 18 characters inside the field "text". Send the call again, ' +
        'whole, as one JSON object; if it is long, split the work into smaller calls.',
    );
    expect(messages.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'ai']);
    expect(reports).toEqual([
      {
        retry: 0,
        willRetry: true,
        calls: [expect.objectContaining({ index: 0, toolName: 'send', kind: 'truncated' })],
      },
    ]);
  });

  it('would run on half of its text without the check', async () => {
    const { send } = await run([streamed({ id: 'c1', name: 'send', args: CUT, index: 0 }), 'done'], false);
    expect(send.runs).toEqual([{ text: 'hello wor' }]);
  });

  it('is answered as an error after the last retry, and its whole sibling runs', async () => {
    const broken = () =>
      streamed({ id: 'a', name: 'send', args: WHOLE, index: 0 }, { id: 'b', name: 'send', args: CUT, index: 1 });
    const { send, kinds, messages, reports, model } = await run([broken(), broken(), 'done'], { maxRetries: 1 });
    expect(model.callCount).toBe(3);
    expect(reports.map(({ willRetry }) => willRetry)).toEqual([true, false]);
    expect(send.runs).toEqual([{ text: 'hello world' }]);
    expect(kinds().sort()).toEqual(['send:refused', 'send:untracked']);
    expect(answers(messages)).toEqual([
      'sent 1',
      expect.stringMatching(/^send was not run: its arguments were cut off/),
    ]);
  });

  it('is known by the finish reason where no text is left', async () => {
    const cut = (reason: object) =>
      new AIMessage({ ...fields(calls(['send', { text: 'x' }], ['send', { text: 'y' }])), response_metadata: reason });
    const openai = await run([cut({ finish_reason: 'length' }), 'done']);
    const anthropic = await run([cut({ stop_reason: 'max_tokens' }), 'done']);
    const fine = await run([cut({ finish_reason: 'tool_calls' }), 'done']);
    expect([openai, anthropic, fine].map(({ send }) => send.runs.length)).toEqual([0, 0, 2]);
    expect(openai.reports[0]?.calls).toMatchObject([{ index: 1, kind: 'truncated' }]);
  });

  it('may be whole although the provider says otherwise', async () => {
    const reply = streamed({ id: 'c1', name: 'send', args: WHOLE, index: 0 });
    reply.response_metadata = { finish_reason: 'length' };
    const { send, reports } = await run([reply, 'done']);
    expect(send.runs).toHaveLength(1);
    expect(reports).toEqual([]);
  });
});

describe('a broken call', () => {
  it('that LangChain sets aside does not end the run silently', async () => {
    const invalid = new AIMessage({
      content: '',
      invalid_tool_calls: [
        { id: 'c1', name: 'send', args: '{"text": oops}', error: 'Malformed', type: 'invalid_tool_call' },
      ],
    });
    const { send, reports } = await run([invalid, calls(['send', { text: 'ok' }]), 'done']);
    expect(send.runs).toEqual([{ text: 'ok' }]);
    expect(reports[0]?.calls).toMatchObject([{ toolName: 'send', kind: 'invalid' }]);
  });

  it('may be a list, or may name no tool', async () => {
    const { reports, send } = await run([
      streamed({ id: 'a', name: 'send', args: '["hello"]', index: 0 }),
      streamed({ id: 'b', name: '', args: WHOLE, index: 0 }),
      'done',
    ]);
    expect(reports.map(({ calls: [call] }) => call?.kind)).toEqual(['invalid', 'unnamed']);
    expect(send.runs).toEqual([]);
  });

  it('without arguments is a call without arguments', async () => {
    const { send, reports } = await run([streamed({ id: 'a', name: 'send', args: '', index: 0 }), 'done']);
    expect(send.runs).toEqual([{}]);
    expect(reports).toEqual([]);
  });
});

describe('ids', () => {
  it('that are missing, blank or repeated become unique, in a reply and over the run', async () => {
    const { send, messages } = await run([
      streamed(
        { name: 'send', args: '{"text":"1"}', index: 0 },
        { id: 'x', name: 'send', args: '{"text":"2"}', index: 1 },
      ),
      streamed(
        { id: 'x', name: 'send', args: '{"text":"3"}', index: 0 },
        { id: 'x', name: 'send', args: '{"text":"4"}', index: 1 },
      ),
      calls(['send', { text: '5' }, ''], ['send', { text: '6' }, 'null']),
      'done',
    ]);
    expect(send.runs.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6']);
    const ids = messages
      .flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
      .map(({ id }) => id);
    expect(ids).toEqual(['call_1', 'x', 'x_1', 'x_2', 'call_2', 'call_3']);
    expect(
      messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.tool_call_id),
    ).toEqual(ids);
  });

  it('that are good leave the reply as it is', async () => {
    const reply = streamed({ id: 'a', name: 'send', args: WHOLE, index: 0 });
    expect(await checkedModelCall([], [], {}, () => reply)).toBe(reply);
  });

  it('change in a provider’s own blocks as well', async () => {
    const block = { type: 'tool_use', id: 'x', name: 'send', input: {} };
    const reply = new AIMessage({
      content: [{ type: 'text', text: 'words' }, block, block],
      tool_calls: [1, 2].map((n) => ({ id: 'x', name: 'send', args: { text: String(n) }, type: 'tool_call' as const })),
      additional_kwargs: { tool_calls: [] },
    });
    const { messages } = await run([reply, 'done']);
    expect(messages[1]?.content).toEqual([
      { type: 'text', text: 'words' },
      { type: 'tool_use', id: 'x', name: 'send', input: { text: '1' } },
      { type: 'tool_use', id: 'x_1', name: 'send', input: { text: '2' } },
    ]);
    expect(messages[1]?.additional_kwargs).toEqual({});
  });
});

function fields(message: AIMessage) {
  return { content: message.content, tool_calls: message.tool_calls ?? [] };
}

it('words alone pass, whatever the finish reason', async () => {
  const words = new AIMessage({ content: 'cut of', response_metadata: { finish_reason: 'length' } });
  const { messages, reports } = await run([words]);
  expect(messages.at(-1)?.content).toBe('cut of');
  expect(reports).toEqual([]);
  expect(messages[0]).toBeInstanceOf(HumanMessage);
});
