/** Real servers from npm, over stdio, through the real clients of both SDKs. */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolRegistry } from '@holdfast/tool-registry';
import { type McpClient, mountMcpTools, registryChecksOutputs } from '@holdfast/tool-registry/mcp';
import { Client as SuccessorClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as SuccessorTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, it } from 'vitest';
import { names } from './support.js';

const require = createRequire(import.meta.url);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-mcp-')));
const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  rmSync(folder, { recursive: true, force: true });
});

const info = { name: 'holdfast-test', version: '0.0.0' };

function command(server: string, args: readonly string[] = []) {
  const script = join(dirname(require.resolve(`@modelcontextprotocol/${server}/package.json`)), 'dist', 'index.js');
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
  return { command: process.execPath, args: [script, ...args], env, stderr: 'ignore' as const };
}

async function connect(server: string, args: readonly string[] = []): Promise<Client> {
  const client = new Client(info, { jsonSchemaValidator: registryChecksOutputs });
  open.push(client);
  await client.connect(new StdioClientTransport(command(server, args)));
  return client;
}

async function connectSuccessor(server: string, args: readonly string[] = []): Promise<SuccessorClient> {
  const client = new SuccessorClient(info, { jsonSchemaValidator: registryChecksOutputs });
  open.push(client);
  await client.connect(new SuccessorTransport(command(server, args)));
  return client;
}

async function mounted(client: McpClient, server: string) {
  const registry = new ToolRegistry();
  const { report } = await mountMcpTools(registry, client, { server, availability: 'active' });
  expect(report).toMatchObject({ removed: [], drifted: [], restored: [] });
  const call = (name: string, input: unknown = {}) => registry.execute(`mcp__${server}__${name}`, input, {});
  return { registry, report, call };
}

describe.each([
  ['@modelcontextprotocol/sdk', connect],
  ['@modelcontextprotocol/client', connectSuccessor],
] as const)('a client of %s', (_, connectClient) => {
  it('mounts server-filesystem, whose results are structured and whose errors are results', async () => {
    writeFileSync(join(folder, 'note.txt'), 'remember the milk');
    const { registry, report, call } = await mounted(await connectClient('server-filesystem', [folder]), 'files');
    expect(report.refused).toEqual([]);
    expect(report.added).toContain('mcp__files__read_text_file');
    expect(registry.toLLMTools()).toHaveLength(report.added.length);
    expect(await call('read_text_file', { path: join(folder, 'note.txt') })).toEqual({
      success: true,
      output: 'remember the milk',
      data: { content: 'remember the milk' },
    });
    const outside = await call('read_text_file', { path: '/etc/passwd' });
    expect(outside).toMatchObject({ success: false });
    expect(outside.output).toContain('Access denied');
    expect(await call('read_text_file', { path: 5 })).toMatchObject({ code: 'invalid_input', started: false });
  });
});

it('mounts server-everything, with every kind of content', async () => {
  const { registry, report, call } = await mounted(await connect('server-everything'), 'all');
  for (const { reason } of report.refused) expect(reason).toBe('it runs only as a task');
  expect(await call('echo', { message: 'hi' })).toEqual({ success: true, output: 'Echo: hi' });
  const image = await call('get-tiny-image');
  expect(image.output).toMatch(/\[image image\/png, \d+ characters of base64\]/);
  expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
  const links = await call('get-resource-links', { count: 2 });
  expect(links.output.match(/\[resource .+: demo:\/\/.+\]/g)).toHaveLength(2);
  const embedded = await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 });
  expect(embedded.output).toContain('[resource demo://');
  const structured = await call('get-structured-content', { location: 'New York' });
  expect(structured).toMatchObject({ success: true, data: { temperature: expect.any(Number) } });
  expect(names(registry.searchActive('echo message'))[0]).toBe('mcp__all__echo');
  const abort = new AbortController();
  const name = 'mcp__all__trigger-long-running-operation';
  const running = registry.execute(name, { duration: 30, steps: 30 }, { abortSignal: abort.signal });
  setImmediate(() => abort.abort());
  expect(await running).toMatchObject({ success: false, code: 'aborted' });
});

it('mounts server-memory, which writes', async () => {
  const { call } = await mounted(await connect('server-memory'), 'memory');
  const entity = { name: 'Ann', entityType: 'person', observations: ['likes tea'] };
  expect(await call('create_entities', { entities: [entity] })).toMatchObject({ success: true });
  const graph = await call('read_graph');
  expect(graph).toMatchObject({ success: true, data: { entities: [entity] } });
  expect(JSON.parse(graph.output)).toEqual(graph.data);
  await call('delete_entities', { entityNames: ['Ann'] });
});

it('mounts server-sequential-thinking', async () => {
  const { call } = await mounted(await connect('server-sequential-thinking'), 'thinking');
  const thought = { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  expect(await call('sequentialthinking', thought)).toMatchObject({ success: true, data: { thoughtNumber: 1 } });
});
