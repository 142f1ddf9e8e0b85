import { AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../src/model/model-server.js';

const quick: ModelServerOptions = { paceMs: 0, halfway: () => undefined };
const servers: ModelServer[] = [];

async function start(options: ModelServerOptions = quick): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const readTools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }];
const question = {
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'File: größe.md' }],
  tools: readTools,
};

async function post(server: ModelServer, body: unknown, path = '/v1/chat/completions'): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) });
}

interface SseChunk {
  readonly choices: readonly {
    readonly delta: {
      readonly tool_calls?: readonly { readonly id?: string; readonly function: { readonly arguments: string } }[];
    };
    readonly finish_reason: string | null;
  }[];
}

function events(sse: string): SseChunk[] {
  const lines = sse.split('\n\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as SseChunk);
}

describe('the model server', () => {
  it('streams arguments in tiny pieces that join to whole JSON', async () => {
    const sse = await (await post(await start(), question)).text();
    const calls = events(sse).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls.length).toBeGreaterThan(5);
    expect(JSON.parse(calls.map((call) => call.function.arguments).join(''))).toEqual({ path: 'größe.md' });
    expect(calls.filter(({ id }) => id !== undefined)).toHaveLength(1);
    expect(sse.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('splits the stream inside UTF-8 characters', async () => {
    const { body } = await post(await start(), question);
    let cut = 0;
    for await (const piece of body ?? []) {
      try {
        new TextDecoder('utf-8', { fatal: true }).decode(piece);
      } catch {
        cut += 1;
      }
    }
    expect(cut).toBeGreaterThan(0);
  });

  it('is understood by the real client', async () => {
    const { url } = await start();
    const model = new ChatOpenAI({ model: 'm', apiKey: 'k', configuration: { baseURL: `${url}/v1` } });
    let reply = new AIMessageChunk('');
    for await (const chunk of await model.bindTools(readTools).stream([new HumanMessage('File: größe.md')])) {
      reply = reply.concat(chunk);
    }
    expect(reply.text).toBe('I read the file first.');
    expect(reply.tool_calls).toMatchObject([{ name: 'read_file', args: { path: 'größe.md' }, id: 'call_0' }]);
  });

  it('waits halfway through a call until it may go on', async () => {
    let go = (): void => {};
    let asked = '';
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let response: Promise<string> = Promise.resolve('');
    let whole = false;
    await new Promise<void>((reached) => {
      const halfway = (tool: string): Promise<void> => {
        asked = tool;
        reached();
        return gate;
      };
      response = start({ paceMs: 0, halfway })
        .then((server) => post(server, question))
        .then((answer) => answer.text());
      response.then(() => {
        whole = true;
      });
    });
    expect({ asked, whole }).toEqual({ asked: 'read_file', whole: false });
    go();
    expect(await response).toContain('[DONE]');
  });

  it('refuses what it does not speak, in words', async () => {
    const server = await start();
    const notStreamed = await post(server, { ...question, stream: false });
    expect(notStreamed.status).toBe(400);
    expect(await notStreamed.text()).toContain('only streams');
    expect((await post(server, question, '/v1/responses')).status).toBe(404);
    expect((await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: 'no JSON' })).status).toBe(500);
  });
});
