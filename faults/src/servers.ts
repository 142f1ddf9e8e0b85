/** Database servers of the harness's own, which it may kill. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';

/** The programs of a server are not on this machine. */
export class MissingServerError extends Error {
  override readonly name = 'MissingServerError';
}

export interface OwnServer {
  readonly port: number;
  readonly url: string;
  /** Starts it on the data that it has, and waits until it takes commands. */
  start(): Promise<void>;
  /** Kills every process of it, as a power cut would. */
  kill(): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

/** A Redis that syncs its append-only file on every write. @throws {MissingServerError} without a `redis-server` on the path. */
export async function ownRedis(): Promise<OwnServer> {
  if (spawnSync('redis-server', ['--version']).status !== 0)
    throw new MissingServerError('No redis-server was found on the path.');
  const directory = mkdtempSync(join(tmpdir(), 'faults-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--loglevel', 'warning'];
  let running: ChildProcess | undefined;
  let isRemoved = false;
  const start = async () => {
    if (isRemoved) throw new Error('The server has been removed.');
    running = spawn('redis-server', [...settings, ...durable], { stdio: 'ignore' });
    await untilAnswered(() => pingRedis(url), running);
  };
  const kill = async () => {
    await killed(running);
    running = undefined;
  };
  const remove = () => {
    isRemoved = true;
    return removed(kill, directory);
  };
  return { port, url, start, kill, remove };
}

/** A PostgreSQL that syncs every commit, under a user without rights. @throws {MissingServerError} without its programs. */
export async function ownPostgres(): Promise<OwnServer> {
  const programs = postgresPrograms();
  const user = unprivilegedUser();
  const directory = mkdtempSync(join(tmpdir(), 'faults-postgres-'));
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid as number);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const options = ['-D', directory, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawn(join(programs, 'initdb'), options, { stdio: 'ignore', cwd: '/', ...user });
  const [code] = await once(made, 'exit');
  if (code !== 0) throw new Error(`initdb ended with ${code}.`);
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', shared_buffers: '16MB', port };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let running: ChildProcess | undefined;
  let isRemoved = false;
  const start = async () => {
    if (isRemoved) throw new Error('The server has been removed.');
    running = spawn(join(programs, 'postgres'), ['-D', directory, ...flags], { stdio: 'ignore', cwd: '/', ...user });
    await untilAnswered(() => pingPostgres(url), running);
  };
  const kill = async () => {
    // The children have sessions of their own and would go on for a moment without their parent.
    running?.kill('SIGSTOP');
    const children = running === undefined ? [] : childrenOf(running.pid as number);
    await killed(running);
    running = undefined;
    for (const child of children) await killedChild(child);
  };
  const remove = () => {
    isRemoved = true;
    return removed(kill, directory);
  };
  return { port, url, start, kill, remove };
}

async function killed(running: ChildProcess | undefined): Promise<void> {
  if (running === undefined || running.exitCode !== null) return;
  running.kill('SIGKILL');
  await once(running, 'exit');
}

async function killedChild(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL');
    while (isRunning(pid)) await moment();
  } catch {
    // It has ended by itself.
  }
}

/** A killed process may remain as an entry that nobody collects. */
function isRunning(pid: number): boolean {
  return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

async function removed(kill: () => Promise<void>, directory: string): Promise<void> {
  await kill();
  rmSync(directory, { recursive: true, force: true });
}

/** Asks until the server answers, unless it ends. */
async function untilAnswered(ping: () => Promise<unknown>, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} ended with ${server.exitCode}.`);
    try {
      await ping();
      return;
    } catch {
      await moment();
    }
  }
}

async function pingRedis(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => {});
  try {
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

async function pingPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
}

/** Between two looks at something that another process does and does not announce. */
function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

function postgresPrograms(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (found === undefined) throw new MissingServerError(`No initdb was found in ${root} or on the path.`);
  return found;
}

/** PostgreSQL does not run as root. */
function unprivilegedUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Below the ports that the system gives to clients, one of which could take it while the server is down. */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  server.close();
  return isFree ? port : freePort();
}
