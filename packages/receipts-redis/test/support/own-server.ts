/** Redis servers of a test's own, which may be restarted, flushed and reconfigured. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll } from 'vitest';

/** Whether there is a binary to start; in CI its absence is a failure. */
export function hasRedisServer(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true;
  const message =
    'No redis-server was found. Install Redis 6.2 or newer to run the tests that need a server of their own.';
  if (process.env.CI) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return false;
}

/** The servers of this test file. A hook that a running test registers would never be called, so it is registered here. */
const started: OwnServer[] = [];
afterAll(() => Promise.all(started.map((server) => server.remove())));
process.once('exit', () => {
  for (const server of started) server.abandon();
});

export class OwnServer {
  readonly port: number;
  readonly url: string;
  readonly #directory: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#directory = mkdtempSync(join(tmpdir(), 'receipts-redis-'));
    this.#settings = settings;
  }

  /** Starts a server that ends with the tests of the file. */
  static async start(...settings: readonly string[]): Promise<OwnServer> {
    const server = new OwnServer(await freePort(), settings);
    started.push(server);
    await server.start();
    return server;
  }

  /** Starts it on the data that it has. */
  async start(): Promise<void> {
    const basic = ['--port', String(this.port), '--dir', this.#directory, '--save', '', '--loglevel', 'warning'];
    this.#process = spawn('redis-server', [...basic, ...this.#settings], { stdio: 'ignore' });
    await this.command('PING');
  }

  /** Kills it as a power cut would. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  /** Ends it, and what it kept. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Ends it without waiting, when the tests themselves are ended. */
  abandon(): void {
    this.#process?.kill('SIGKILL');
  }

  /** Sends one command over a connection of its own, as soon as the server takes commands. */
  async command(command: string, ...args: string[]): Promise<unknown> {
    const redis = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: 500 });
    redis.on('error', () => {});
    try {
      return await redis.call(command, args);
    } finally {
      redis.disconnect();
    }
  }
}

/** Three masters that share the slots. */
export async function startCluster(): Promise<readonly OwnServer[]> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'];
  const servers = await Promise.all([1, 2, 3].map(() => OwnServer.start(...settings)));
  const ranges = [0, 5_461, 10_923, 16_384];
  for (const [index, server] of servers.entries()) {
    const slots = Array.from({ length: (ranges[index + 1] as number) - (ranges[index] as number) }, (_, slot) =>
      String(slot + (ranges[index] as number)),
    );
    await server.command('CLUSTER', 'ADDSLOTS', ...slots);
    if (index > 0) await server.command('CLUSTER', 'MEET', '127.0.0.1', String(servers[0]?.port));
  }
  for (const server of servers) {
    while (!String(await server.command('CLUSTER', 'INFO')).includes('cluster_state:ok')) await pause();
    while (String(await server.command('CLUSTER', 'NODES')).match(/connected \d/g)?.length !== 3) await pause();
  }
  return servers;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** Below the ports that the system gives out, and low enough for a cluster's second port, 10,000 above. */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  server.close();
  return free ? port : freePort();
}
