/** Calls that kill their worker each time they are tried. */

import { type Call, dealt } from '../calls.js';
import { type Report, type Site, Stage, type StageOptions } from '../stage.js';

const MAX_ATTEMPTS = 3;
const LANES = 4;
const DELIVERIES = 3;

export function poison(site: Site, options: StageOptions): Promise<Report> {
  return Stage.run('poison', site, options, async (stage) => {
    const keys = (effect: string) => Array.from({ length: LANES }, (_, lane) => `${effect}-${lane}`);
    const order = { whenBusy: 'return', maxAttempts: MAX_ATTEMPTS } as const;
    // An opaque one stops at the first death, a resumable one at its last attempt.
    const deaths = [['opaque'], ...Array.from({ length: MAX_ATTEMPTS }, () => ['resumable'])] as Call['effect'][][];
    for (const [effect] of deaths as [Call['effect']][]) {
      const struck = keys(effect).map((key) => stage.call(key, effect, { point: 'claimed', by: 'kill' }));
      const crew = await stage.crew(LANES);
      crew.tell({ what: 'run', order: { ...order, lanes: struck.map((call) => [call]) } });
      await crew.dies();
      stage.fault('SIGKILL');
      await stage.open.expireLeases();
    }
    const crew = await stage.crew(LANES);
    for (let delivery = 0; delivery < DELIVERIES; delivery++) {
      const calls = [...stage.calls.values()].filter(({ strike }) => strike);
      await crew.runs({ ...order, lanes: dealt(stage.again(calls), LANES) });
      await stage.open.expireLeases();
    }
    await crew.ends();
    return ({ ended, struck, effects, grants }) => [
      { name: 'starts = attempts allowed', left: struck.get('claimed') ?? 0, right: LANES * (1 + MAX_ATTEMPTS) },
      { name: 'grants = starts', left: grants, right: LANES * (1 + MAX_ATTEMPTS) },
      {
        name: 'resumable calls after the last attempt = exhausted',
        left: ended.get('exhausted') ?? 0,
        right: LANES * DELIVERIES,
      },
      {
        name: 'opaque calls after the first = ambiguous',
        left: ended.get('ambiguous') ?? 0,
        right: LANES * DELIVERIES,
      },
      { name: 'effects = 0', left: effects, right: 0 },
    ];
  });
}
