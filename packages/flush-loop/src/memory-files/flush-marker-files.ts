/** Flush marks in files, which survive a restart and hold between processes without a lock. */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decideFlushClaim, type FlushAttempt, type FlushCycle, type FlushMarkerStore } from '../flush-marker.js';
import { createFile } from './create-file.js';
import { MemoryFilesError } from './memory-files-error.js';

/**
 * Opens a folder as a {@link FlushMarkerStore}. Each begun attempt is a file that can be made only once, so two
 * claimers never get the same one. Marks of earlier cycles are removed when a cycle is done. What stays of a conversation
 * is a folder named by the SHA-256 of its id, with a few small files: remove it with the conversation.
 *
 * @param now the clock of leases, in milliseconds: the calendar, since it must outlive a restart.
 * @throws {MemoryFilesError} ERR_HOLDFAST_MEMORY_FILES when the folder cannot be made.
 */
export async function openFlushMarkerFiles(
  directory: string,
  now: () => number = () => Date.now(),
): Promise<FlushMarkerStore> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (cause) {
    throw new MemoryFilesError(`The folder ${directory} cannot be made or is no folder.`, { cause });
  }
  const folderOf = ({ conversationId }: FlushCycle) =>
    join(directory, createHash('sha256').update(conversationId).digest('hex'));

  return {
    async claim(cycle, leaseMs) {
      const folder = folderOf(cycle);
      await mkdir(folder, { recursive: true });
      for (;;) {
        const attempts = await readCycle(folder, cycle.cycle);
        if (attempts === 'done') return { kind: 'done' };
        const claim = decideFlushClaim(attempts, now());
        if (claim.kind !== 'granted') return claim;
        if (await createFile(join(folder, `${cycle.cycle}.attempt-${claim.attempt}`), String(now() + leaseMs)))
          return claim;
      }
    },
    async done(cycle) {
      const folder = folderOf(cycle);
      await mkdir(folder, { recursive: true });
      await createFile(join(folder, `${cycle.cycle}.done`), '');
      const old = (await readdir(folder)).filter((name) => Number.parseInt(name, 10) < cycle.cycle);
      await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
    },
    async failed(cycle, attempt, reason) {
      const folder = folderOf(cycle);
      await mkdir(folder, { recursive: true });
      await createFile(join(folder, `${cycle.cycle}.failed-${attempt}`), reason);
    },
  };
}

/** The attempts of a cycle that is open. */
async function readCycle(folder: string, cycle: number): Promise<readonly FlushAttempt[] | 'done'> {
  const names = await readdir(folder);
  if (names.includes(`${cycle}.done`) || names.some((name) => Number.parseInt(name, 10) > cycle)) return 'done';
  const attempts: FlushAttempt[] = [];
  for (let number = 1; names.includes(`${cycle}.attempt-${number}`); number++) {
    const leaseEnd = Number(await readFile(join(folder, `${cycle}.attempt-${number}`), 'utf8'));
    const failedName = `${cycle}.failed-${number}`;
    const failure = names.includes(failedName) ? await readFile(join(folder, failedName), 'utf8') : undefined;
    attempts.push({ leaseEnd, ...(failure !== undefined && { failure }) });
  }
  return attempts;
}
