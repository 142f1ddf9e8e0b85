/** One writer at a time to a file, over the processes of one machine. */

import { randomUUID } from 'node:crypto';
import { readFile, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createFile } from './create-file.js';

/** How long a writer waits for the others, in milliseconds. */
const WAIT_LIMIT_MS = 10_000;

/** A lock could not be had in time. */
export class FileLockTimeout extends Error {}

/** Writers of this process stand in a line of their own, so that they do not ask the disk in turns. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other process runs its own for the same `path`. The lock is the file `path`, held by its
 * existence. A lock whose process is gone is taken over; one of another host, or of another container, never is, since
 * nobody here can tell whether its process lives.
 *
 * @throws {FileLockTimeout} when the holder does not let go within ten seconds.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  const before = lines.get(path) ?? Promise.resolve();
  const mine = before.then(() => lockAndRun(path, deadline, work));
  const settled = mine.catch(() => {});
  lines.set(path, settled);
  try {
    return await mine;
  } finally {
    if (lines.get(path) === settled) lines.delete(path);
  }
}

async function lockAndRun<T>(path: string, deadline: number, work: () => Promise<T>): Promise<T> {
  const holder = await nameHolder();
  while (!(await createFile(path, holder))) {
    await removeDead(path, holder);
    if (performance.now() > deadline) throw new FileLockTimeout(`Another process holds the lock ${path}.`);
    await pause(1 + Math.floor(Math.random() * 5));
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => {});
  }
}

/**
 * Removes the lock of a process that is gone. Only one remover at a time looks and removes, so that nobody removes a
 * lock that was taken in between; what keeps the others out is a lock like any other, and removed in the same way when
 * its holder is gone.
 */
async function removeDead(path: string, holder: string): Promise<void> {
  if (!(await isDead(path))) return;
  const guard = `${path}.takeover`;
  if (!(await createFile(guard, holder))) return removeDead(guard, holder);
  try {
    if (await isDead(path)) await unlink(path).catch(() => {});
  } finally {
    await unlink(guard).catch(() => {});
  }
}

async function nameHolder(): Promise<string> {
  return [process.pid, await startOf(process.pid), hostname(), randomUUID()].join(' ');
}

async function isDead(path: string): Promise<boolean> {
  const holder = await readFile(path, 'utf8').catch(() => '');
  const [pid = '', start, host] = holder.split(' ');
  if (!/^[1-9][0-9]*$/.test(pid) || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const found = await startOf(Number(pid));
  return start !== UNKNOWN_START && found !== UNKNOWN_START && start !== found;
}

const UNKNOWN_START = '-';

/**
 * When a process began, in ticks since the machine did, where the system tells. A process in a restarted container often
 * has the number of the one that died there, but not its start.
 */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? UNKNOWN_START;
}
