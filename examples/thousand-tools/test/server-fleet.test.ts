import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolRegistry } from '@holdfast/tool-registry';
import { afterAll, afterEach, expect, it } from 'vitest';
import { END_WITH_HOST, ServerFleet } from '../src/server-fleet.js';
import { SERVERS } from '../src/servers.js';
import { endChildren, isRunning, startNode } from './support/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-fleet-'));
const fleets: ServerFleet[] = [];
afterEach(async () => {
  endChildren();
  await Promise.all(fleets.splice(0).map((fleet) => fleet.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const named = (...names: string[]) => SERVERS.filter(({ server }) => names.includes(server));

function fleetOf(limitMs: number): ServerFleet {
  const fleet = new ServerFleet({ folder, limitMs });
  fleets.push(fleet);
  return fleet;
}

it('mounts what starts, in the order of the list, and tells of what does not', async () => {
  process.env['HOLDFAST_SECRET'] = 'a key of the host';
  const registry = new ToolRegistry();
  const fleet = fleetOf(20_000);
  const report = await fleet.start(registry, [
    { server: 'keyless', package: '../test/fixtures/keyless' },
    { server: 'gone', package: 'no-such-package' },
    ...named('memory', 'everything'),
  ]);
  expect(report.started.map(({ server }) => server)).toEqual(['everything', 'memory']);
  expect(report.failed).toEqual([
    { server: 'keyless', reason: expect.stringContaining('The secret is not here') },
    { server: 'gone', reason: expect.stringContaining('no-such-package') },
  ]);
  const servers = registry.listNames().map((name) => name.split('__')[1]);
  expect(servers).toEqual(servers.toSorted());
  expect(servers).toHaveLength(report.started.reduce((sum, { tools }) => sum + tools, 0));
  expect(registry.toLLMTools()).toEqual([]);
  const pids = report.started.map(({ pid }) => pid);
  expect(pids.map(isRunning)).toEqual([true, true]);
  await fleet.close();
  await fleet.close();
  expect(pids.map(isRunning)).toEqual([false, false]);
});

it('gives up a server that never answers, and ends it', async () => {
  const registry = new ToolRegistry();
  const report = await fleetOf(3_000).start(registry, [{ server: 'silent', package: '../test/fixtures/silent' }]);
  expect(report).toEqual({ started: [], failed: [{ server: 'silent', reason: expect.stringContaining('timed out') }] });
  expect(isRunning(Number(readFileSync(join(folder, 'silent.pid'), 'utf8')))).toBe(false);
});

it('tells of a server that cannot even be spawned', async () => {
  const fleet = new ServerFleet({ folder: join(folder, 'missing'), limitMs: 20_000 });
  const { failed } = await fleet.start(new ToolRegistry(), named('memory'));
  expect(failed).toEqual([{ server: 'memory', reason: expect.stringContaining('ENOENT') }]);
  await fleet.close();
});

it('lets no server outlive a host that was killed: the end of its input is its end', async () => {
  const server = fileURLToPath(new URL('./fixtures/silent/server.js', import.meta.url));
  const child = startNode(['--import', END_WITH_HOST, server], folder);
  child.stdin?.end();
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
});

it('starts nothing once it is closed', async () => {
  const fleet = fleetOf(20_000);
  await fleet.close();
  const { started, failed } = await fleet.start(new ToolRegistry(), named('memory'));
  expect([started, failed]).toEqual([[], [{ server: 'memory', reason: 'The example is ending.' }]]);
});
