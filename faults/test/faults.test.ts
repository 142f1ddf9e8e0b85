import { describe, expect, it } from 'vitest';
import { POSTGRES_URL, REDIS_URL, serverAnswers } from '../../test/support/services.js';
import { quickProgramme } from '../src/programme.js';
import { clocks } from '../src/scenarios/clocks.js';
import { crowd } from '../src/scenarios/crowd.js';
import { cuts } from '../src/scenarios/cuts.js';
import { kills } from '../src/scenarios/kills.js';
import { stops } from '../src/scenarios/stops.js';
import type { Report, Site } from '../src/stage.js';
import { faultsOf, violationsOf } from '../src/table.js';

const SEED = Number(process.env.HOLDFAST_FAULTS_SEED ?? 1);
const SQLITE: Site = { kind: 'sqlite' };
const SITES: readonly Site[] = [
  SQLITE,
  ...((await serverAnswers(POSTGRES_URL)) ? [{ kind: 'postgres', url: POSTGRES_URL } as const] : []),
  ...((await serverAnswers(REDIS_URL)) ? [{ kind: 'redis', url: REDIS_URL } as const] : []),
];
const TIMEOUT = { timeout: 120_000 };

/** A worker can be seen to stand still on Linux only. */
const describeHere = describe.skipIf(process.platform !== 'linux');

describeHere.each(SITES)('after faults, the books of $kind', (site) => {
  it.each(quickProgramme(site, SEED))('close: $name', TIMEOUT, async ({ run }) => {
    const report = await run();
    expect(violationsOf(report)).toEqual([]);
    expect(faultsOf(report)).toBeGreaterThan(0);
  });
});

function violated(report: Report): string[] {
  return violationsOf(report).map(({ name }) => name);
}

describeHere('the books do not close', () => {
  const small = { seed: SEED, lives: 1, lanes: 5, before: 1, effect: 'opaque', reconcile: false } as const;

  it('when a queue takes an interrupted call for one that did not happen', TIMEOUT, async () => {
    const report = await kills(SQLITE, { ...small, worker: { sabotage: 'guess' } });
    expect(report.books.twice).toBeGreaterThan(0);
    expect(violated(report)).toContain('effects twice');
  });

  it('when a store forgets results', TIMEOUT, async () => {
    const report = await kills(SQLITE, { ...small, worker: { sabotage: 'forget' } });
    expect(report.books.lost).toBeGreaterThan(0);
    expect(violated(report)).toContain('results lost');
  });

  it('when a store lets a worker write that was taken over', TIMEOUT, async () => {
    const report = await stops(SQLITE, { seed: SEED, rounds: 1, lanes: 1, worker: { sabotage: 'no-fence' } });
    expect(violated(report)).toContain('late renew, step, fail, complete = fenced');
  });

  it('when there are no receipts', TIMEOUT, async () => {
    const options = { seed: SEED, processes: 2, workers: 4, keys: 3, callers: 4 };
    const report = await crowd(SQLITE, { ...options, worker: { sabotage: 'no-receipts' } });
    expect(report.books.twice).toBe(3);
    expect(violated(report)).toContain('effects = keys');
  });

  it('when leases are judged by the clock of the worker', TIMEOUT, async () => {
    const report = await clocks(SQLITE, { seed: SEED, keys: 1, worker: { wallClock: true } });
    expect(violated(report)).toContain('calls for live leases = busy');
  });

  it.each(SITES.filter(({ kind }) => kind !== 'sqlite'))(
    'when a claim whose answer was lost is not found again: $kind',
    TIMEOUT,
    async (site) => {
      const options = { seed: SEED, keys: 40, lanes: 4, rate: 0.3 };
      const report = await cuts(site, { ...options, worker: { sabotage: 'no-token' } });
      expect(report.books.falseAmbiguities).toBeGreaterThan(0);
      expect(violated(report)).toContain('false ambiguities');
    },
  );
});
