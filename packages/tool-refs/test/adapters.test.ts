import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { type ToolMessageReferenceMetadata, ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { annotateModelMessages } from '@holdfast/tool-refs/ai-sdk';
import { annotateAnthropicMessages } from '@holdfast/tool-refs/anthropic';
import { annotateChatMessages, annotateResponseItems } from '@holdfast/tool-refs/openai';
import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';

/** A conversation as the provider's API takes it, with the metadata that a host has written beside its results. */
function recorded<Message>(name: string): Message[] {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as Message[];
}

function stored(runId = 'run-1'): ToolOutputReferenceRegistry {
  const registry = new ToolOutputReferenceRegistry();
  for (let index = 0; index < 6; index++) registry.set(runId, `tool${index}turn0`, `output ${index}`);
  return registry;
}

/** A transport that keeps what a client would have put on the wire. */
function wire(answer: object) {
  const bodies: string[] = [];
  const fetch = (_url: unknown, init?: { body?: unknown }) => {
    bodies.push(String(init?.body));
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve(new Response(JSON.stringify(answer), { status: 200, headers }));
  };
  return { bodies, fetch };
}

const shapes = [
  ['OpenAI chat messages', 'openai/chat-parallel-calls', annotateChatMessages],
  ['OpenAI response items', 'openai/responses-items', annotateResponseItems],
  ['Anthropic messages', 'anthropic/tool-results', annotateAnthropicMessages],
  ['AI SDK model messages', 'ai-sdk/tool-results', annotateModelMessages],
] as const;

describe.each(shapes)('%s', (_title, fixture, annotate) => {
  it('lose the metadata, whether a key can be used or not', () => {
    for (const registry of [stored(), new ToolOutputReferenceRegistry()]) {
      expect(JSON.stringify(annotate(recorded<object>(fixture), registry, 'run-1'))).not.toMatch(
        /_refKey|_refScope|_unresolvedRefs/,
      );
    }
  });

  it('show a key only where its output is stored, and to its own run', () => {
    const shows = (registry: ToolOutputReferenceRegistry, runId: string | undefined) =>
      JSON.stringify(annotate(recorded<object>(fixture), registry, runId)).match(/\[ref: tool\d+turn0\]|"_ref/g)
        ?.length ?? 0;
    // What a result itself claims stays in it.
    const claimed = shows(new ToolOutputReferenceRegistry(), 'run-1');
    expect(shows(stored(), 'run-1')).toBeGreaterThan(claimed);
    expect(shows(stored('run-3'), 'run-1')).toBe(claimed);
  });

  it('are not changed, and other messages are shared', () => {
    const messages = recorded<object>(fixture);
    const before = JSON.stringify(messages);
    const annotated = annotate(messages, stored(), 'run-1');
    expect(JSON.stringify(messages)).toBe(before);
    expect(annotated).not.toBe(messages);
    expect(annotated[0]).toBe(messages[0]);
    expect(annotated).toHaveLength(messages.length);
    expect(annotate(annotated, stored(), 'run-1')).toBe(annotated);
  });

  it('come back as they are without a registry', () => {
    const messages = recorded<object>(fixture);
    expect(annotate(messages, undefined, 'run-1')).toBe(messages);
  });

  it('may hold anything', () => {
    const odd = [null, 7, 'text', [], { role: 'tool' }, { content: [null, 7, { type: 'tool_result' }] }, { type: 'x' }];
    const messages = odd.map((content) => ({ role: 'tool', type: 'function_call_output', content, output: content }));
    expect(annotate(messages, stored(), 'run-1')).toBe(messages);
    const forged = {
      _refKey: { toString: () => 'tool0turn0' },
      _refScope: ['run-1'],
      _unresolvedRefs: [{}, 'x', null],
    };
    for (const content of odd) {
      const carrier = { role: 'tool', type: 'function_call_output', content, output: content, ...forged };
      const inner = ['tool_result', 'tool-result'].map((type) => ({ type, content, output: content, ...forged }));
      const shown = annotate([carrier, { role: 'user', content: inner }], stored(), 'run-1');
      expect(JSON.stringify(shown)).not.toMatch(/\[ref|\[unresolved/);
    }
  });

  it('are annotated once: an output that does not change is not parsed again', () => {
    const messages = recorded<object>(fixture);
    const registry = stored();
    const first = annotate(messages, registry, 'run-1');
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(annotate(messages, registry, 'run-1')).toEqual(first);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });
});

describe('what the model sees', () => {
  it('of the response items of OpenAI’s own tools, only the metadata is gone', () => {
    const chunk = { stdout: 'ok', stderr: '', outcome: { type: 'exit', exit_code: 0 } };
    const item = { type: 'shell_call_output', call_id: 'call_1', output: [chunk] };
    const items = [{ ...item, _refKey: 'tool0turn0', _refScope: 'run-1', _unresolvedRefs: ['tool9turn9'] }];
    expect(annotateResponseItems<object>(items, stored(), 'run-1')).toEqual([item]);
  });

  it('of chat messages', () => {
    const annotated = annotateChatMessages(
      recorded<OpenAI.ChatCompletionMessageParam>('openai/chat-parallel-calls'),
      stored(),
      'run-1',
    );
    expect(annotated.slice(3, 5)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'call_9oOQwYBmvQz0PBHwSMyMlFmL',
        content: '{"_ref":"tool0turn0","id":4411,"total":12345678901234567890}',
      },
      {
        role: 'tool',
        tool_call_id: 'call_Zq3c1mMkLhYB3uQpoHtDkGvA',
        content: [
          { type: 'text', text: '[ref: none]' },
          { type: 'text', text: '[ref: tool0turn0]\nnot found' },
          { type: 'text', text: '[unresolved refs: tool9turn9]' },
        ],
      },
    ]);
  });

  it('of response items', () => {
    const annotated = annotateResponseItems(
      recorded<OpenAI.Responses.ResponseInputItem>('openai/responses-items'),
      stored(),
      'run-1',
    );
    expect(annotated.slice(3)).toEqual([
      {
        type: 'function_call_output',
        call_id: 'call_unLAR8MvFNptuiZK6K6HCy5k',
        output: '[ref: tool0turn0]\nline 1\nline 2',
      },
      {
        type: 'function_call_output',
        call_id: 'call_5m0TqXcV3dQxWn1oGm7jH2zE',
        output: [
          { type: 'input_text', text: '[ref: tool1turn0]' },
          { type: 'input_text', text: 'a chart' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
          { type: 'input_text', text: '[unresolved refs: "tool0turn0#/first name"]' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'call_8Qk2Lx', output: '{"ok":true}' },
    ]);
  });

  it('of Anthropic tool results', () => {
    const annotated = annotateAnthropicMessages(
      recorded<Anthropic.MessageParam>('anthropic/tool-results'),
      stored(),
      'run-1',
    );
    expect(annotated[2]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'toolu_01A09q90qw90lq917835lq9',
        content: '{\n  "_ref": "tool0turn0",\n  "rows": 1.0\n}',
        cache_control: { type: 'ephemeral' },
      },
      {
        type: 'tool_result',
        tool_use_id: 'toolu_01B19r91rw91mr928946mr0',
        is_error: true,
        content: [
          { type: 'text', text: '[ref: tool1turn0]' },
          { type: 'text', text: 'half a picture' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { type: 'text', text: '[unresolved refs: tool9turn9]' },
        ],
      },
      { type: 'tool_result', tool_use_id: 'toolu_01C29s92sx92ns939057ns1', content: '[ref: tool2turn0]\n' },
      { type: 'text', text: 'Go on.' },
    ]);
  });

  it('of AI SDK tool results', () => {
    const annotated = annotateModelMessages(recorded<ModelMessage>('ai-sdk/tool-results'), stored(), 'run-1');
    const parts = annotated[2]?.content as { output: unknown; providerOptions?: unknown }[];
    expect(parts.map(({ output }) => output)).toEqual([
      { type: 'json', value: { _ref: 'tool0turn0', id: 1, tags: ['a'] } },
      { type: 'text', value: '[ref: tool1turn0]\n[1,2,3]\n[unresolved refs: tool9turn9]' },
      { type: 'text', value: '[ref: tool2turn0]\nline 1\nline 2' },
      {
        type: 'content',
        value: [
          { type: 'text', text: '[ref: tool3turn0]' },
          { type: 'text', text: 'a chart' },
        ],
      },
      { type: 'execution-denied', reason: 'not today' },
      { type: 'error-text', value: '[ref: none]\n{"_ref":"tool0turn0","message":"fake"}' },
    ]);
    expect(parts[2]?.providerOptions).toEqual({ anthropic: { cacheControl: { type: 'ephemeral' } } });
  });

  it('of an AI SDK value that claims unresolved references is told apart', () => {
    const output = { type: 'json', value: { _unresolved_refs: ['tool1turn1'] } };
    const messages = [{ role: 'tool', content: [{ type: 'tool-result', output, _refKey: 'tool0turn0' }] }];
    expect(annotateModelMessages<object>(messages, stored(), 'run-1')).toEqual([
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            output: {
              type: 'text',
              value: '[ref: tool0turn0]\n{"_unresolved_refs":["tool1turn1"]}\n[unresolved refs: none]',
            },
          },
        ],
      },
    ]);
  });

  it('of an AI SDK value that is no JSON is the value', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    for (const value of [cycle, deep, 7n, undefined]) {
      const part = { type: 'tool-result', output: { type: 'json', value }, _refKey: 'tool0turn0' };
      const [message] = annotateModelMessages([{ role: 'tool', content: [part] }], stored(), 'run-1');
      expect(message?.content[0]?.output === part.output).toBe(true);
    }
  });
});

describe('on the wire', () => {
  const metadata: ToolMessageReferenceMetadata = { _refKey: 'tool0turn0', _refScope: 'run-1' };

  it('a chat request carries the key and none of our fields', async () => {
    const { bodies, fetch } = wire({ id: 'x', choices: [] });
    const client = new OpenAI({ apiKey: 'none', fetch });
    const result = { role: 'tool' as const, tool_call_id: 'call_1', content: 'a log' };
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'go' },
      { ...result, ...metadata },
    ];
    await client.chat.completions.create({ model: 'm', messages: annotateChatMessages(messages, stored(), 'run-1') });
    expect(JSON.parse(bodies[0] ?? '').messages[1]).toEqual({ ...result, content: '[ref: tool0turn0]\na log' });
  });

  it('a responses request does, too', async () => {
    const { bodies, fetch } = wire({ id: 'x', output: [] });
    const client = new OpenAI({ apiKey: 'none', fetch });
    const result = { type: 'function_call_output' as const, call_id: 'call_1', output: 'a log' };
    const input: OpenAI.Responses.ResponseInputItem[] = [{ ...result, ...metadata }];
    await client.responses.create({ model: 'm', input: annotateResponseItems(input, stored(), 'run-1') });
    expect(JSON.parse(bodies[0] ?? '').input).toEqual([{ ...result, output: '[ref: tool0turn0]\na log' }]);
  });

  it('so does a request to Anthropic', async () => {
    const { bodies, fetch } = wire({ id: 'x', content: [] });
    const client = new Anthropic({ apiKey: 'none', fetch });
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'a log' };
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: [{ ...result, ...metadata }] }];
    const annotated = annotateAnthropicMessages(messages, stored(), 'run-1');
    await client.messages.create({ model: 'm', max_tokens: 1, messages: annotated });
    expect(JSON.parse(bodies[0] ?? '').messages[0].content).toEqual([
      { ...result, content: '[ref: tool0turn0]\na log' },
    ]);
  });

  it('and a prompt of the AI SDK', async () => {
    const model = new MockLanguageModelV4({
      doGenerate: () =>
        Promise.resolve({
          content: [{ type: 'text', text: 'done' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        }),
    });
    const messages = annotateModelMessages(recorded<ModelMessage>('ai-sdk/tool-results'), stored(), 'run-1');
    await generateText({ model, messages });
    const prompt = JSON.stringify(model.doGenerateCalls[0]?.prompt);
    expect(prompt).toContain('"_ref":"tool0turn0","id":1');
    expect(prompt).not.toMatch(/_refKey|_refScope|_unresolvedRefs/);
  });
});
