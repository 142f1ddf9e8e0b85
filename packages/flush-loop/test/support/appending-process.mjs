// Appends notes to a memory that other processes write to: `directory writer count [die-holding-the-lock]`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMemoryFiles } from '@holdfast/flush-loop/memory-files';

const [directory, writer, count, die] = process.argv.slice(2);
const memory = await openMemoryFiles(directory, {
  // The time of a note is asked for under the lock.
  now: () => {
    if (die && existsSync(join(directory, '.lock'))) process.kill(process.pid, 'SIGKILL');
    return new Date(0);
  },
});
for (let index = 0; index < Number(count); index++) {
  const answer = await memory.append('log.md', `note ${index} of writer ${writer}\n${'é'.repeat(500)}`);
  if (!answer.ok) throw new Error(answer.error);
  await memory.append('log.md', 'the same note from everybody');
}
