/** The loop with LangChain's real OpenAI clients over HTTP, of both versions, streaming and not. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryFlushMarkers, type MemoryFlushParams, runMemoryFlush } from '@holdfast/flush-loop';
import { memoryFileTools, openMemoryFiles } from '@holdfast/flush-loop/memory-files';
import { HumanMessage } from '@langchain/core/messages';
import * as messages03 from '@langchain/core-03/messages';
import { tool as tool03 } from '@langchain/core-03/tools';
import { ChatOpenAI } from '@langchain/openai';
import { ChatOpenAI as ChatOpenAI03 } from '@langchain/openai-03';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenAIServer, startOpenAIServer, type Turn } from './support/openai-server.js';
import { transcriptFaults } from './support/transcript.js';

let directory: string;
let server: OpenAIServer;
beforeEach(async () => {
  // To count tokens of a stream, LangChain fetches a table from the network, and waits long where there is none.
  // Without the table it guesses, and says so on the console.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string | URL | Request, init?: RequestInit) =>
    String(url).includes('tiktoken') ? Promise.resolve(new Response('none')) : fetch(url, init),
  );
  directory = await mkdtemp(join(tmpdir(), 'holdfast-openai-'));
});
afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const note = (id: string, text: string, path = 'user.md') => ({
  id,
  name: 'memory_append',
  arguments: JSON.stringify({ path, text }),
});
const history = [new HumanMessage('I only drink tea. 谢谢 😀')];

interface Client {
  readonly title: string;
  readonly streaming: boolean;
  readonly params: (
    url: string,
    directory: string,
  ) => Promise<Pick<MemoryFlushParams, 'model' | 'tools' | 'messageClasses'>>;
}

const settings = (url: string, streaming: boolean) => ({
  model: 'scripted',
  apiKey: 'none',
  streaming,
  maxRetries: 0,
  configuration: { baseURL: url },
});

const clients: Client[] = [true, false].flatMap((streaming): Client[] => [
  {
    title: `LangChain 1.x, ${streaming ? 'streaming' : 'not streaming'}`,
    streaming,
    params: async (url, folder) => ({
      model: new ChatOpenAI(settings(url, streaming)) as unknown as MemoryFlushParams['model'],
      tools: memoryFileTools(await openMemoryFiles(folder)),
    }),
  },
  {
    title: `LangChain 0.3, ${streaming ? 'streaming' : 'not streaming'}`,
    streaming,
    params: async (url, folder) => {
      const memory = await openMemoryFiles(folder);
      const append = tool03(
        async (input) => {
          const { path, text } = input as { path: unknown; text: unknown };
          return JSON.stringify(await memory.append(path, text));
        },
        {
          name: 'memory_append',
          description: 'Adds one note.',
          schema: {
            type: 'object',
            properties: { path: { type: 'string' }, text: { type: 'string' } },
            required: ['path', 'text'],
          },
        },
      );
      return {
        model: new ChatOpenAI03(settings(url, streaming)) as unknown as MemoryFlushParams['model'],
        tools: [append] as unknown as MemoryFlushParams['tools'],
        messageClasses: messages03 as unknown as NonNullable<MemoryFlushParams['messageClasses']>,
      };
    },
  },
]);

describe.each(clients)('$title', ({ streaming, params }) => {
  const flush = async (script: readonly Turn[], more: Partial<MemoryFlushParams> = {}) => {
    server = await startOpenAIServer(script);
    return runMemoryFlush({ ...(await params(server.url, directory)), history, ...more });
  };

  it('writes notes to files and reports them', async () => {
    const outcome = await flush([
      { calls: [note('a', 'Drinks tea. 谢谢 😀'), note('b', 'Lives in "London".\n')] },
      {
        calls: [
          note('c', 'Drinks tea. 谢谢 😀'),
          note('d', 'x', '../escape.md'),
          { id: 'e', name: 'memory_apend', arguments: '{}' },
        ],
      },
      { content: 'NO_REPLY' },
    ]);
    expect(outcome).toMatchObject({
      kind: 'flushed',
      result: { iterations: 3, appendsAttempted: 4, appendsSucceeded: 2, stopReason: 'silent' },
    });
    const text = await readFile(join(directory, 'user.md'), 'utf8');
    expect(text.match(/Drinks tea\. 谢谢 😀/g)).toHaveLength(1);
    expect(text).toContain('Lives in "London".');
    expect(server.requests.map(({ stream }) => stream === true)).toEqual([streaming, streaming, streaming]);
    expect(server.requests[0]?.tools?.map((tool) => tool.function.name)).toContain('memory_append');
    if (outcome.kind === 'flushed') {
      expect(outcome.result.toolErrors.map(({ toolCallId }) => toolCallId)).toEqual(['c', 'd', 'e']);
      expect(transcriptFaults(outcome.result.messages)).toEqual([]);
    }
  });

  it('does not write a note that broke off, and lets the model write it again', async () => {
    const cut = { id: 'a', name: 'memory_append', arguments: '{"path":"user.md","text":"Drinks t' };
    const outcome = await flush([
      { calls: [cut], finish: 'length' },
      { calls: [note('a', 'Drinks tea.')] },
      { content: 'NO_REPLY' },
    ]);
    expect(outcome).toMatchObject({ kind: 'flushed', result: { appendsAttempted: 2, appendsSucceeded: 1 } });
    expect(await readFile(join(directory, 'user.md'), 'utf8')).toMatch(/^## .* UTC\n\nDrinks tea\.\n$/);
  });

  it('survives ids that repeat, as some servers send them', async () => {
    const outcome = await flush([
      { calls: [note('call_0', 'one'), note('call_0', 'two')] },
      { calls: [note('call_0', 'three')] },
      { content: 'Done.' },
    ]);
    // LangChain joins streamed pieces by index and id, so both notes of one id arrive there too.
    expect(outcome).toMatchObject({ kind: 'flushed', result: { appendsSucceeded: 3, finalText: 'Done.' } });
    expect(server.requests).toHaveLength(3);
  });

  it('reports an outage after a first note, and does it at the next try', async () => {
    const store = createMemoryFlushMarkers(() => 0);
    const mark = { store, conversationId: 'c', cycle: 0 };
    const outcome = await flush([{ calls: [note('a', 'one')] }, { status: 503 }], { mark });
    expect(outcome).toMatchObject({ kind: 'failed', result: { stopReason: 'model_error', appendsSucceeded: 1 } });
    await server.close();
    const again = await flush([{ calls: [note('a', 'one'), note('b', 'two')] }, { content: 'NO_REPLY' }], { mark });
    expect(again).toMatchObject({ kind: 'flushed', result: { appendsSucceeded: 1 } });
    expect((await readFile(join(directory, 'user.md'), 'utf8')).match(/one|two/g)).toEqual(['one', 'two']);
  });

  it('stops at a signal while the server is asked', async () => {
    const controller = new AbortController();
    const outcome = await flush([{ calls: [note('a', 'one')] }, { content: 'late' }], {
      signal: controller.signal,
      onIteration: () => controller.abort(),
    });
    expect(outcome).toMatchObject({ kind: 'failed', result: { stopReason: 'aborted', appendsSucceeded: 0 } });
  });
});
