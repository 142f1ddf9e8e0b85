/** Workers are stopped past their leases, and wake up when others have gone on. */

import { HELD, keyOf } from '../calls.js';
import type { Crew } from '../crew.js';
import { type Report, type Site, Stage, type StageOptions } from '../stage.js';

export interface StopsOptions extends StageOptions {
  readonly rounds: number;
  /** Calls of each kind under way when the worker is stopped. */
  readonly lanes: number;
}

const REQUEST = { effect: 'resumable', token: 'zombie', leaseMs: 600_000, maxAttempts: 5 } as const;

export function stops(site: Site, options: StopsOptions): Promise<Report> {
  return Stage.run('stopped past the lease', site, options, async (stage) => {
    const crew = await stage.crew(3 * options.lanes);
    const tally = { fenced: 0, evidence: 0, held: 0 };
    for (let round = 0; round < options.rounds; round++) await stopOnce(stage, crew, round, options.lanes, tally);
    await crew.ends();
    const each = options.rounds * options.lanes;
    return ({ ended, receipts, effects }) => [
      { name: 'late renew, step, fail, complete = fenced', left: tally.fenced, right: 4 * each },
      { name: 'late results of taken-over attempts = kept as evidence', left: tally.evidence, right: 2 * each },
      { name: 'results of the new holders = accepted', left: tally.held, right: each },
      { name: 'stopped resumable calls = lost to the next attempt', left: ended.get('lost') ?? 0, right: each },
      {
        name: 'stopped opaque calls = ambiguous, then healed and replayed',
        left: ended.get('ambiguous') ?? 0,
        right: each,
      },
      { name: 'calls executed = opaque zombies + takeovers', left: ended.get('executed') ?? 0, right: 2 * each },
      { name: 'effects = one part of opaque calls, two of resumable ones', left: effects, right: 3 * each },
      { name: 'receipts completed = keys', left: receipts.get('completed') ?? 0, right: 2 * each },
    ];
  });
}

interface Tally {
  fenced: number;
  evidence: number;
  held: number;
}

async function stopOnce(stage: Stage, crew: Crew, round: number, lanes: number, tally: Tally): Promise<void> {
  const names = (kind: string) => Array.from({ length: lanes }, (_, lane) => `${kind}-${round}-${lane}`);
  const opaque = names('opaque').map((key) => stage.call(key, 'opaque', { point: 'done', by: 'stop' }));
  const resumable = names('resumable').map((key) => stage.call(key, 'resumable', { point: 'done', by: 'stop' }));
  const held = names('held');
  crew.tell({ what: 'run', order: { lanes: [...opaque, ...resumable].map((call) => [call]), whenBusy: 'return' } });
  crew.tell({ what: 'hold', keys: held, request: REQUEST });
  await crew.hears('inside');
  await crew.hears('holding');
  await crew.stop();
  stage.fault('SIGSTOP');
  await stage.open.expireLeases();
  for (const call of [...stage.again(opaque), ...stage.again(resumable)]) await stage.ask(call);
  const { store } = stage.open;
  for (const key of held) await store.claim(keyOf(key, HELD), { ...REQUEST, token: 'holder' });
  crew.continues();
  await crew.hears('done');
  const { answers } = await crew.hears('answered');
  tally.fenced += (answers as string[]).filter((answer) => answer === 'fenced').length;
  tally.evidence += await evidenceOf(stage, new Set([...held, ...resumable.map(({ key }) => key)]));
  for (const key of held) {
    const { kind } = await store.complete(keyOf(key, HELD), { attempt: 2, token: 'holder' }, '"in time"');
    if (kind === 'ok') tally.held++;
  }
  for (const call of [...stage.again(opaque), ...stage.again(resumable)]) await stage.ask(call);
}

async function evidenceOf(stage: Stage, keys: ReadonlySet<string>): Promise<number> {
  let found = 0;
  let after: string | undefined;
  do {
    const page = await stage.open.store.list({ limit: 1_000, ...(after !== undefined && { after }) });
    found += page.receipts.filter(
      ({ key, evidence }) => keys.has(key.argsHash) && evidence?.kind === 'completed',
    ).length;
    after = page.next;
  } while (after !== undefined);
  return found;
}

/** The same with leases that run out by themselves, so that the worker's own clock tells it too. */
export function overtaken(site: Site, options: StopsOptions): Promise<Report> {
  return Stage.run('stopped, lease runs out', site, options, async (stage) => {
    const { rounds, lanes } = options;
    const crew = await stage.crew(2 * lanes);
    // Long enough for a busy machine to begin the effect in time.
    const order = { whenBusy: 'wait', leaseMs: 2_000 } as const;
    for (let round = 0; round < rounds; round++) {
      const lane = (kind: string, index: number) => `${kind}-${round}-${index}`;
      const calls = Array.from({ length: lanes }, (_, index) => [
        stage.call(lane('opaque', index), 'opaque', { point: 'done', by: 'stop' }),
        stage.call(lane('resumable', index), 'resumable', { point: 'between', by: 'stop' }),
      ]).flat();
      crew.tell({ what: 'run', order: { ...order, lanes: calls.map((call) => [call]) } });
      await crew.hears('inside');
      await crew.stop();
      stage.fault('SIGSTOP');
      await Promise.all(stage.again(calls).map((call) => stage.ask(call, order)));
      crew.continues();
      await crew.hears('done');
      await Promise.all(stage.again(calls).map((call) => stage.ask(call, order)));
    }
    await crew.ends();
    const each = rounds * lanes;
    return ({ ended, effects, receipts }) => [
      { name: 'stopped resumable calls = lost to the next attempt', left: ended.get('lost') ?? 0, right: each },
      { name: 'stopped opaque calls = ambiguous, then healed', left: ended.get('ambiguous') ?? 0, right: each },
      { name: 'effects = each part once', left: effects, right: 3 * each },
      { name: 'receipts completed = keys', left: receipts.get('completed') ?? 0, right: 2 * each },
    ];
  });
}
