import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMemoryFlushMarkers, type FlushMarkerStore } from '@holdfast/flush-loop';
import { openFlushMarkerFiles } from '@holdfast/flush-loop/memory-files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const cycle = { conversationId: 'thread-1', cycle: 4 };
let directory: string;
let time: number;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-marks-'));
  time = 1_000;
});
afterEach(() => rm(directory, { recursive: true }));

const stores: Record<string, () => Promise<FlushMarkerStore>> = {
  memory: async () => createMemoryFlushMarkers(() => time),
  files: () => openFlushMarkerFiles(directory, () => time),
};

describe.each(Object.keys(stores))('marks in %s', (name) => {
  let store: FlushMarkerStore;
  beforeEach(async () => {
    store = await (stores[name] as () => Promise<FlushMarkerStore>)();
  });

  it('grants the first claim and keeps the others out while it runs', async () => {
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'granted', attempt: 1 });
    time = 1_200;
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'busy', remainingMs: 300 });
  });

  it('says done once the memory is written, whichever attempt wrote it', async () => {
    await store.claim(cycle, 500);
    time = 1_500;
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'granted', attempt: 2 });
    await store.done(cycle, 1);
    await store.failed(cycle, 2, 'too late');
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'done' });
  });

  it('gives up after three attempts, failed and crashed ones together, with the last reason', async () => {
    await store.claim(cycle, 500);
    await store.failed(cycle, 1, 'disk full');
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'granted', attempt: 2 });
    time = 1_500;
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'granted', attempt: 3 });
    await store.failed(cycle, 3, 'disk full again');
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'given-up', attempts: 3, reason: 'disk full again' });
    const reason = 'The last attempt broke off without a report.';
    const other = { conversationId: 'thread-2', cycle: 4 };
    for (let attempt = 1; attempt <= 3; attempt++, time += 500) {
      expect(await store.claim(other, 500)).toEqual({ kind: 'granted', attempt });
    }
    expect(await store.claim(other, 500)).toEqual({ kind: 'given-up', attempts: 3, reason });
  });

  it('begins anew in the next cycle, and never again in an earlier one', async () => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      await store.claim(cycle, 500);
      await store.failed(cycle, attempt, 'no');
    }
    const next = { ...cycle, cycle: 5 };
    expect(await store.claim(next, 500)).toEqual({ kind: 'granted', attempt: 1 });
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'done' });
    await store.done(next, 1);
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'done' });
    expect(await store.claim({ ...cycle, cycle: 6 }, 500)).toEqual({ kind: 'granted', attempt: 1 });
  });

  it('takes a report that is sent again', async () => {
    await store.claim(cycle, 500);
    await store.failed(cycle, 1, 'first');
    await store.failed(cycle, 1, 'first');
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'granted', attempt: 2 });
    await store.done(cycle, 2);
    await store.done(cycle, 2);
    expect(await store.claim(cycle, 500)).toEqual({ kind: 'done' });
  });

  it('does not wait for a lease that was taken before the clock was set back', async () => {
    time = 4_000_000_000_000;
    await store.claim(cycle, 500);
    time = 1_000;
    expect(await store.claim(cycle, 86_400_000)).toEqual({ kind: 'granted', attempt: 2 });
    time = -86_399_000;
    expect((await store.claim(cycle, 500)).kind).toBe('busy');
    time = -86_399_001;
    expect((await store.claim(cycle, 500)).kind).toBe('granted');
  });

  it('grants one of many claims at once', async () => {
    const claims = await Promise.all(Array.from({ length: 30 }, () => store.claim(cycle, 500)));
    expect(claims.filter(({ kind }) => kind === 'granted')).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'busy')).toHaveLength(29);
  });
});

it('marks in files survive a restart, and those of earlier cycles are removed', async () => {
  const before = await openFlushMarkerFiles(directory, () => time);
  await before.claim(cycle, 500);
  await before.failed(cycle, 1, 'x');
  const after = await openFlushMarkerFiles(directory, () => time);
  expect(await after.claim(cycle, 500)).toEqual({ kind: 'granted', attempt: 2 });
  await after.done(cycle, 2);
  const next = { ...cycle, cycle: 5 };
  await after.claim(next, 500);
  await after.done(next, 1);
  const [folder] = await readdir(directory);
  expect((await readdir(join(directory, folder as string))).sort()).toEqual(['5.attempt-1', '5.done']);
});

it('one of two processes gets an attempt, and the next attempt follows when it was killed with it', async () => {
  const code = `
    import { openFlushMarkerFiles } from '@holdfast/flush-loop/memory-files';
    const store = await openFlushMarkerFiles(${JSON.stringify(directory)}, () => 1_000);
    const claim = await store.claim({ conversationId: 'c', cycle: 0 }, 500);
    console.log(claim.kind);
    if (claim.kind === 'granted') process.kill(process.pid, 'SIGKILL');`;
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const claim = async () => {
    const ended = run(process.execPath, ['--input-type=module', '-e', code], { cwd });
    return (await ended.catch((error: { stdout: string }) => error)).stdout.trim();
  };
  expect((await Promise.all([claim(), claim()])).sort()).toEqual(['busy', 'granted']);
  const store = await openFlushMarkerFiles(directory, () => time);
  time = 1_499;
  expect(await store.claim({ conversationId: 'c', cycle: 0 }, 500)).toEqual({ kind: 'busy', remainingMs: 1 });
  time = 1_500;
  expect(await store.claim({ conversationId: 'c', cycle: 0 }, 500)).toEqual({ kind: 'granted', attempt: 2 });
});

it('conversation ids are no paths', async () => {
  const store = await openFlushMarkerFiles(directory, () => time);
  await store.claim({ conversationId: '../../escape', cycle: 0 }, 500);
  expect(await readdir(directory)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

it('a folder that cannot be made is a clear error', async () => {
  await expect(openFlushMarkerFiles('/dev/null/marks')).rejects.toMatchObject({ code: 'ERR_HOLDFAST_MEMORY_FILES' });
});

it('marks in memory forget the oldest conversation beyond the limit', async () => {
  const store = createMemoryFlushMarkers(() => time, 2);
  for (const conversationId of ['a', 'b', 'c']) {
    await store.claim({ conversationId, cycle: 0 }, 500);
    await store.done({ conversationId, cycle: 0 }, 1);
  }
  expect((await store.claim({ conversationId: 'c', cycle: 0 }, 500)).kind).toBe('done');
  expect((await store.claim({ conversationId: 'b', cycle: 0 }, 500)).kind).toBe('done');
  expect((await store.claim({ conversationId: 'a', cycle: 0 }, 500)).kind).toBe('granted');
});
