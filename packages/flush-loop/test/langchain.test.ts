/** The loop with LangChain's own tools and chat models, of both versions that it supports. */

import { bindToolsIfSupported, type FlushLoopParams, type InvokableModel, runFlushLoop } from '@holdfast/flush-loop';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { FakeListChatModel, FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { BaseChatModel as BaseChatModel03 } from '@langchain/core-03/language_models/chat_models';
import * as messages03 from '@langchain/core-03/messages';
import { tool as tool03 } from '@langchain/core-03/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answers, opening, toMessage } from './support/scripted.js';
import { transcriptFaults } from './support/transcript.js';

const schema = z.object({ text: z.string().min(1) });
const memory: string[] = [];
const memoryAppend = tool(
  async ({ text }) => {
    memory.push(text);
    return JSON.stringify({ ok: true, path: 'memory/today.md' });
  },
  { name: 'memory_append', description: 'Writes a note.', schema },
);

/** A chat model of LangChain's own kind that plays a script and takes tools. */
class ScriptedChatModel extends BaseChatModel {
  readonly seen: BaseMessage[][] = [];
  bound: string[] = [];
  #replies: AIMessage[];

  constructor(replies: AIMessage[]) {
    super({});
    this.#replies = replies;
  }
  _llmType(): string {
    return 'scripted';
  }
  override bindTools(tools: { name: string }[]): this {
    this.bound = tools.map(({ name }) => name);
    return this;
  }
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.seen.push(messages);
    const message = this.#replies.shift() ?? new AIMessage('');
    return { generations: [{ text: '', message }] };
  }
}

describe('LangChain 1.x', () => {
  it('runs real tools for a real chat model', async () => {
    const model = new ScriptedChatModel([
      toMessage({ tool_calls: [{ name: 'memory_append', args: { text: 'likes tea' }, id: 'a' }] }),
      toMessage({ tool_calls: [{ name: 'memory_append', args: { text: 7 }, id: 'b' }] }),
      new AIMessage('NO_REPLY'),
    ]);
    const bound = bindToolsIfSupported(model, [memoryAppend]);
    expect(model.bound).toEqual(['memory_append']);
    const result = await runFlushLoop({ model: bound, tools: [memoryAppend], initialMessages: opening() });
    expect(memory.splice(0)).toEqual(['likes tea']);
    expect(result).toMatchObject({ iterations: 3, appendsAttempted: 2, appendsSucceeded: 1, silentReply: true });
    expect(result.toolErrors[0]?.error).toContain('expected string');
    expect(transcriptFaults(result.messages)).toEqual([]);
    expect(model.seen.map((messages) => messages.length)).toEqual([2, 4, 6]);
  });

  it('gives a model without bindTools back as it is, and calls bindTools on its owner', () => {
    const plain: InvokableModel = { invoke: async () => new AIMessage('') };
    expect(bindToolsIfSupported(plain, [memoryAppend])).toBe(plain);
    const model = {
      seen: [] as unknown[],
      bindTools(tools: unknown) {
        this.seen.push(tools);
        return plain;
      },
    };
    expect(bindToolsIfSupported(model, [])).toBe(plain);
    expect(model.seen).toEqual([[]]);
  });

  it('takes the replies of the fake chat models, whole and streamed', async () => {
    const params = { tools: [memoryAppend], initialMessages: opening() };
    const listed = await runFlushLoop({ ...params, model: new FakeListChatModel({ responses: ['no_reply'] }) });
    expect(listed).toMatchObject({ silentReply: true, stopReason: 'silent' });
    const chunks = [
      new AIMessageChunk({
        content: '',
        tool_call_chunks: [{ name: 'memory_append', args: '{"text":"streamed"}', id: 's', index: 0 }],
      }),
    ];
    const model = new FakeStreamingChatModel({ chunks, responses: [new AIMessage('x')] });
    const streaming = {
      invoke: async (messages: BaseMessage[]) => {
        if (messages.length > 2) return new AIMessage('Saved.');
        let whole: AIMessageChunk | undefined;
        for await (const chunk of await model.stream(messages)) {
          whole = whole === undefined ? (chunk as AIMessageChunk) : whole.concat(chunk as AIMessageChunk);
        }
        return whole as unknown as AIMessage;
      },
    };
    const streamed = await runFlushLoop({ ...params, model: streaming });
    expect(memory.splice(0)).toEqual(['streamed']);
    expect(streamed).toMatchObject({ appendsSucceeded: 1, finalText: 'Saved.' });
  });

  it('hands the signal to a real tool, and stops waiting for it', async () => {
    const controller = new AbortController();
    const slow = tool(
      (_input, config) => {
        queueMicrotask(() => controller.abort());
        return new Promise((_resolve, reject) =>
          config.signal?.addEventListener('abort', () => reject(new Error('told'))),
        );
      },
      { name: 'memory_append', description: 'Never ends.', schema },
    );
    const model = new ScriptedChatModel([
      toMessage({ tool_calls: [{ name: 'memory_append', args: { text: 'x' }, id: 'a' }] }),
    ]);
    const result = await runFlushLoop({ model, tools: [slow], initialMessages: opening(), signal: controller.signal });
    expect(result.stopReason).toBe('aborted');
    expect(transcriptFaults(result.messages)).toEqual([]);
  });

  it('reads tools that give content and artifact', async () => {
    const pair = tool(async () => ['{"ok":true}', { rows: 1 }], {
      name: 'memory_append',
      description: 'Gives two.',
      schema,
      responseFormat: 'content_and_artifact',
    });
    const model = new ScriptedChatModel([
      toMessage({ tool_calls: [{ name: 'memory_append', args: { text: 'x' }, id: 'a' }] }),
    ]);
    const result = await runFlushLoop({ model, tools: [pair], initialMessages: opening() });
    expect(answers(result.messages)).toEqual([{ id: 'a', text: '{"ok":true}' }]);
  });
});

describe('LangChain 0.3', () => {
  class ScriptedChatModel03 extends BaseChatModel03 {
    readonly seen: messages03.BaseMessage[][] = [];
    #replies: messages03.AIMessage[];

    constructor(replies: messages03.AIMessage[]) {
      super({});
      this.#replies = replies;
    }
    _llmType(): string {
      return 'scripted';
    }
    override async _generate(messages: messages03.BaseMessage[]) {
      this.seen.push(messages);
      const message = this.#replies.shift() ?? new messages03.AIMessage('');
      return { generations: [{ text: '', message }] };
    }
  }

  const append03 = tool03(
    async (input: unknown) => {
      memory.push((input as { text: string }).text);
      return JSON.stringify({ ok: true });
    },
    { name: 'memory_append', description: 'Writes a note.', schema },
  );
  const script = () => [
    new messages03.AIMessage({
      content: '',
      tool_calls: [
        { name: 'memory_append', args: { text: 'one' }, id: 'a' },
        { name: 'memory_append', args: { text: 'two' }, id: 'a' },
      ],
      invalid_tool_calls: [{ name: 'memory_append', args: '{"t', id: 'b' }],
    }),
    new messages03.AIMessage('Saved.'),
  ];
  const opening03 = () => [new messages03.SystemMessage('You keep notes.'), new messages03.HumanMessage('Save.')];
  /** The types of both versions differ; the values are what is tested. */
  const params03 = (model: ScriptedChatModel03) =>
    ({ model, tools: [append03], initialMessages: opening03() }) as unknown as FlushLoopParams;

  it('runs its models, tools and messages, with answers of the 1.x copy that is installed', async () => {
    const model = new ScriptedChatModel03(script());
    const params = params03(model);
    const result = await runFlushLoop(params);
    expect(memory.splice(0)).toEqual(['one', 'two']);
    expect(result).toMatchObject({ iterations: 2, appendsAttempted: 3, appendsSucceeded: 2, finalText: 'Saved.' });
    expect(result.messages.slice(0, 2)).toEqual(params.initialMessages);
    expect(result.messages[0]).toBe(params.initialMessages[0]);
    expect(result.messages[2]).toBeInstanceOf(messages03.AIMessage);
    expect(result.messages[3]).toBeInstanceOf(ToolMessage);
    expect(transcriptFaults(result.messages)).toEqual([]);
    expect(model.seen[1]?.map((message) => message.getType())).toEqual([
      'system',
      'human',
      'ai',
      'tool',
      'tool',
      'tool',
    ]);
  });

  it('makes its own messages when the host passes its classes', async () => {
    const model = new ScriptedChatModel03([...script().slice(0, 1), new messages03.AIMessage('Saved.')]);
    const messageClasses = messages03 as unknown as NonNullable<FlushLoopParams['messageClasses']>;
    const result = await runFlushLoop({ ...params03(model), messageClasses, maxIterations: 1, onCap: 'final-answer' });
    memory.length = 0;
    expect(result.messages.slice(3, 6).every((message) => (message as unknown) instanceof messages03.ToolMessage)).toBe(
      true,
    );
    expect(result.messages[6]).toBeInstanceOf(messages03.HumanMessage);
    expect(result.finalText).toBe('Saved.');
  });

  it('keeps messages of the other copy that the host passes to a 1.x model', async () => {
    const model = new ScriptedChatModel([
      toMessage({ tool_calls: [{ name: 'memory_append', args: { text: 'x' }, id: 'a' }] }),
      new AIMessage('Saved.'),
    ]);
    const history = [
      ...opening03(),
      new messages03.AIMessage({ content: '', tool_calls: [{ name: 'memory_append', args: { text: 'w' }, id: 'a' }] }),
      new messages03.ToolMessage({ content: 'ok', tool_call_id: 'a' }),
      new HumanMessage('Go on.'),
    ];
    const initialMessages = history as unknown as BaseMessage[];
    const result = await runFlushLoop({ model, tools: [memoryAppend], initialMessages });
    memory.length = 0;
    for (const [n, message] of history.entries()) expect(result.messages[n]).toBe(message);
    expect(answers(result.messages).map(({ id }) => id)).toEqual(['a', 'a_2']);
    expect(model.seen[1]?.map((message) => message.getType())).toEqual([
      'system',
      'human',
      'ai',
      'tool',
      'human',
      'ai',
      'tool',
    ]);
  });
});
