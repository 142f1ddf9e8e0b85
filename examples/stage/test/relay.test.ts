import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Report } from '../src/report.js';
import { killAndCarryOn } from '../src/worker-process.js';

const file = fileURLToPath(new URL('./support/worker.mjs', import.meta.url));
const standing: Report = { kind: 'standing', job: 'a', moment: 'here' };
const finished: Report = { kind: 'finished', job: 'a' };

function relay(settings: object, signal = new AbortController().signal) {
  return killAndCarryOn({ file, settings, killAt: { a: 'here' }, signal });
}

it('kills the first worker at its moment and lets the second one finish', async () => {
  const { killedPid, secondPid, reports } = await relay({ first: [standing], second: [finished] });
  expect(reports).toEqual([standing, finished]);
  expect(secondPid).not.toBe(killedPid);
  expect(() => process.kill(killedPid, 0)).toThrow('ESRCH');
});

it('says that a worker ended by itself', async () => {
  await expect(relay({ first: [], exitCode: 3 })).rejects.toThrow(/^Worker \d+ ended too early \(exit code 3\)/);
});

it('ends its workers when it is interrupted', async () => {
  const interrupt = new AbortController();
  const relayed = relay({ first: [] }, interrupt.signal);
  interrupt.abort();
  await expect(relayed).rejects.toThrow('ended too early (SIGKILL)');
});
