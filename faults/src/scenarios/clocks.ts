/** Workers whose clocks are an hour off, either way. */

import { type Call, dealt } from '../calls.js';
import { type Report, type Site, Stage, type StageOptions } from '../stage.js';

export interface ClocksOptions extends StageOptions {
  readonly keys: number;
}

const HOUR = 3_600_000;
const LEASE_MS = 600_000;

export function clocks(site: Site, options: ClocksOptions): Promise<Report> {
  return Stage.run('clock wrong by an hour', site, options, async (stage) => {
    const skews = [0, HOUR, -HOUR];
    const crews = await Promise.all(skews.map((skewMs) => stage.crew(4, { skewMs })));
    stage.fault('wrong clock', 2);
    const held = skews.map((_, holder) =>
      Array.from({ length: options.keys }, (_, index) =>
        stage.call(`${holder}-${index}`, 'opaque', { point: 'claimed', by: 'stop' }),
      ),
    );
    // Everybody holds calls, and everybody asks for everybody's.
    for (const [index, crew] of crews.entries()) {
      crew.tell({ what: 'run', order: { lanes: (held[index] as Call[]).map((call) => [call]), whenBusy: 'return' } });
      await crew.hears('inside');
    }
    const asked = crews.map(() => stage.again(held.flat()));
    for (const [index, crew] of crews.entries()) {
      await crew.runs({ lanes: dealt(asked[index] as Call[], 4), whenBusy: 'return' });
    }
    for (const crew of crews) {
      crew.tell({ what: 'go on' });
      await crew.hears('done');
    }
    await Promise.all(crews.map((crew) => crew.ends()));
    const expired = await runsOut(stage);
    const busy = stage.world.read().flatMap((entry) => (entry.what === 'end' && entry.kind === 'busy' ? [entry] : []));
    const isTrue = ({ remainingMs = 0 }: (typeof busy)[number]) => remainingMs > 0 && remainingMs <= LEASE_MS;
    const all = held.flat().length;
    return ({ ended, receipts, effects }) => [
      { name: 'calls for live leases = busy', left: ended.get('busy') ?? 0, right: all * crews.length },
      { name: 'time left of a lease = within the lease', left: busy.filter(isTrue).length, right: busy.length },
      { name: 'holders = executed', left: ended.get('executed') ?? 0, right: all },
      { name: 'effects = calls of holders that lived', left: effects, right: all },
      { name: 'leases of killed workers with wrong clocks = run out', left: expired, right: 2 },
      { name: 'ambiguous receipts = workers killed', left: receipts.get('ambiguous') ?? 0, right: 2 },
    ];
  });
}

/** A lease that a worker with a wrong clock took runs out in its own short time, and not an hour later. */
async function runsOut(stage: Stage): Promise<number> {
  let found = 0;
  for (const skewMs of [HOUR, -HOUR]) {
    const crew = await stage.crew(1, { skewMs });
    stage.fault('wrong clock');
    const call = stage.call(`short-${skewMs}`, 'opaque', { point: 'claimed', by: 'kill' });
    crew.tell({ what: 'run', order: { lanes: [[call]], whenBusy: 'return', leaseMs: 200 } });
    await crew.dies();
    stage.fault('SIGKILL');
    if ((await stage.ask(stage.call(call.key, 'opaque'), { whenBusy: 'wait' })) === 'ambiguous') found++;
  }
  return found;
}
