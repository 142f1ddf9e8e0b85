/** The built program, with real servers. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { startModelServer } from '../src/agent/model-server.js';
import { endChildren, isRunning, pidsIn, run, start } from './support/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

afterEach(endChildren);

const SUM = 'Add two numbers {"a": 19, "b": 23}';

it('finds its way among more than 300 real tools, and says why and at what price', async () => {
  const args = ['--servers', 'everything,github,recipes,metabase,linear', '--query', 'add two numbers'];
  const { code, stdout } = await run([...args, '--query', 'list_pull_requests', '--query', 'xyzzy']);
  expect(code).toBe(0);
  expect(Number(/^(\d+) tools, all deferred/m.exec(stdout)?.[1])).toBeGreaterThan(300);
  const [, sum = '', named = '', nothing = ''] = stdout.split('› ');
  expect(sum).toMatch(/1\. mcp__everything__get-sum\n.*\n +why: \d+ % of the query: .*two in description/);
  expect(sum).toMatch(/near misses: mcp__\w+/);
  const price = /wire: ([\d,]+) now, ([\d,]+) with these 5 loaded, ([\d,]+) with all tools/.exec(sum) ?? [];
  const [now = 0, loaded = 0, all = 0] = price.slice(1).map((count) => Number(count.replaceAll(',', '')));
  expect(now).toBeGreaterThan(0);
  expect(now).toBeLessThan(200);
  expect(loaded).toBeGreaterThan(now);
  expect(loaded).toBeLessThan(all / 20);
  expect(named).toMatch(/1\. mcp__github__list_pull_requests\n.*\n +why: the query is its name/);
  expect(nothing).toContain('No tool matches.');
  expect(pidsIn(stdout)).toHaveLength(5);
  expect(pidsIn(stdout).filter(isRunning)).toEqual([]);
});

it('takes lines from the standard input: searches, loads, calls', async () => {
  const call = 'call get-sum {"a":19,"b":23}';
  const lines = [call, 'load get-sum', call, 'load create_entitie', 'call echo {', 'load', 'wire', 'quit', 'never'];
  const { code, stdout } = await run(['--servers', 'everything,memory'], { input: lines.join('\n') });
  expect(code).toBe(0);
  const [, early, load, done, near, broken, nameless, wire, ...rest] = stdout.split('› ');
  expect(early).toContain('✗ deferred: The tool "mcp__everything__get-sum" is not loaded');
  expect(load).toMatch(/loaded mcp__everything__get-sum\n {2}tokens on the wire: \d+ before, \d+ now/);
  expect(done).toContain('✓ The sum of 19 and 23 is 42.');
  expect(near).toContain('No tool is named "create_entitie". Near: mcp__memory__create_entities');
  expect(broken).toContain('That is no JSON');
  expect(nameless).toContain('Which tool?');
  expect(wire).toMatch(/search_tools.*\n.*get-sum.*\n.*together \d+; with all 21 tools loaded: [\d,]+/);
  expect(rest).toEqual(['quit\n']);
});

it('ends its servers when it is told to end', async () => {
  const child = start(['--servers', 'everything,memory']);
  let stdout = '';
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('all deferred')) resolve();
    });
  });
  expect(pidsIn(stdout).map(isRunning)).toEqual([true, true]);
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(130);
  expect(pidsIn(stdout).map(isRunning)).toEqual([false, false]);
});

it('ends its servers when nobody reads on', async () => {
  const child = start(['--servers', 'everything']);
  child.stdout?.destroy();
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(130);
});

it('lets a model search, load and call, and proves it', async () => {
  const args = ['--servers', 'everything,memory', '--agent', SUM, '--expect', 'mcp__everything__get-sum'];
  const { code, stdout } = await run(args);
  const [, tools, all] = /^request 1: 1 tool, (\d+) of (\d+) tokens: search_tools$/m.exec(stdout) ?? [];
  expect(Number(tools)).toBeLessThan(200);
  expect(Number(all) - Number(tools)).toBeLessThan(200); // no list of tools in the prompt either
  expect(stdout).toContain('answer: Done. The sum of 19 and 23 is 42.');
  expect(stdout.match(/^✓ .*/gm)).toHaveLength(3);
  expect(code).toBe(0);
});

it('fails when the tool is not there, also for a model behind OPENAI_BASE_URL', async () => {
  const server = await startModelServer();
  const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.url };
  const args = ['--servers', 'memory', '--model', 'openai', '--agent', SUM];
  const { code, stdout } = await run(args, { env });
  await server.close();
  expect(stdout).toContain('answer: I found no tool that takes this.');
  expect(stdout).toContain('✗ expected one call of one tool, got none');
  expect(code).toBe(1);
});

it('searches a catalogue without any server', async () => {
  const file = join(folder, 'tools.json');
  const sms = { name: 'send_sms', server: 'phone', description: 'Sends a text.', inputSchema: { type: 'object' } };
  writeFileSync(file, JSON.stringify([sms, { description: 'nameless' }]));
  const { code, stdout } = await run(['--servers', 'none', '--catalogue', file, '--query', 'send text']);
  expect(code).toBe(0);
  expect(stdout).toContain('1 tool, only described\n  left out tool 2: It has no name.');
  expect(stdout).toMatch(/1\. phone__send_sms\n/);
});

it('refuses what it cannot do before anything starts', async () => {
  const missing = await run(['--servers', 'none', '--catalogue', join(folder, 'missing.json')]);
  expect(missing).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('missing.json cannot be read'),
  });
  const key = await run(['--agent', SUM, '--model', 'openai']);
  expect(key).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('needs OPENAI_API_KEY') });
});
