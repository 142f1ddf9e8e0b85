/** One writer at a time to a file, over the processes of one machine. */

import { randomUUID } from 'node:crypto';
import { readFile, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createFile } from './create-file.js';

/** How long a writer waits for the others, in milliseconds. */
const WAIT_LIMIT_MS = 10_000;

/** A lock could not be had in time. `message` names the file to look at. */
export class FileLockTimeout extends Error {}

/** Writers of this process stand in a line of their own, so that they do not ask the disk in turns. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other process runs its own for the same `path`. The lock is the file `path`, held by its
 * existence; a lock whose process is gone is taken over.
 *
 * @throws {FileLockTimeout} when the holder does not let go.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(path) ?? Promise.resolve();
  const mine = before.then(() => lockAndRun(path, work));
  const settled = mine.catch(() => {});
  lines.set(path, settled);
  try {
    return await mine;
  } finally {
    if (lines.get(path) === settled) lines.delete(path);
  }
}

async function lockAndRun<T>(path: string, work: () => Promise<T>): Promise<T> {
  const holder = `${process.pid} ${hostname()} ${randomUUID()}`;
  const deadline = performance.now() + WAIT_LIMIT_MS;
  while (!(await createFile(path, holder))) {
    await removeDead(path);
    if (performance.now() > deadline) {
      throw new FileLockTimeout(
        `Another process holds the lock ${path}. If none does, remove it and ${path}.takeover.`,
      );
    }
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
 * lock that was taken in between.
 */
async function removeDead(path: string): Promise<void> {
  if (!(await isDead(path))) return;
  const guard = `${path}.takeover`;
  if (!(await createFile(guard, ''))) return;
  try {
    if (await isDead(path)) await unlink(path).catch(() => {});
  } finally {
    await unlink(guard).catch(() => {});
  }
}

async function isDead(path: string): Promise<boolean> {
  const holder = await readFile(path, 'utf8').catch(() => '');
  const [pid, host] = holder.split(' ');
  if (pid === undefined || !/^[0-9]+$/.test(pid) || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
