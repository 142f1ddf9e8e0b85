/** Workers are killed at every point of their calls, and started again. */

import { type Call, dealt, STRIKE_POINTS } from '../calls.js';
import { type Report, type Site, Stage, type StageOptions } from '../stage.js';

export interface KillsOptions extends StageOptions {
  readonly effect: Call['effect'];
  /** Whether the world is asked about ambiguous calls. */
  readonly reconcile: boolean;
  /** How often each of the two workers is killed. */
  readonly lives: number;
  /** Calls under way in a process when it is killed. */
  readonly lanes: number;
  /** Calls that end before, in each lane. */
  readonly before: number;
}

export function kills(site: Site, options: KillsOptions): Promise<Report> {
  const { effect, reconcile } = options;
  const name = `killed, ${effect}${reconcile ? ', reconciled' : ''}`;
  return Stage.run(name, site, options, async (stage) => {
    const struck = (await Promise.all([0, 1].map((worker) => livesOf(stage, worker, options)))).flat();
    const redelivered = await settle(stage, struck, options);
    return ({ keys, effects, receipts, struck: points, ended }) => {
      const kind = (call: Call) => redelivered.get(call.key);
      const sent = struck.filter(({ strike }) => strike?.point === 'claim-sent');
      const granted = sent.filter((call) => kind(call) === 'busy').length;
      const unheard = struck.filter((call) => call.strike?.point === 'complete-sent' && kind(call) === 'busy').length;
      const before = (points.get('claimed') ?? 0) + granted;
      const open = before + unheard + (points.get('done') ?? 0);
      const isOpen = effect === 'opaque' && !reconcile;
      const whole = effect === 'opaque' ? 1 : 2;
      const unwritten = points.get('one-ran') ?? 0;
      const neverRan = isOpen ? before : 0;
      return [
        {
          name: 'ambiguous receipts = kills between claim and record',
          left: receipts.get('ambiguous') ?? 0,
          right: isOpen ? open : 0,
        },
        {
          name: 'completed + ambiguous = keys',
          left: (receipts.get('completed') ?? 0) + (receipts.get('ambiguous') ?? 0),
          right: keys,
        },
        {
          name: 'effects = keys - kills before them + kills before their journal',
          left: effects,
          right: whole * (keys - neverRan) + unwritten,
        },
        { name: 'calls cut short = kills × lanes', left: struck.length, right: 2 * options.lives * options.lanes },
        {
          name: 'calls failed, lost, exhausted or rejected = 0',
          left: ['failed', 'lost', 'exhausted', 'rejected', 'unrecorded'].reduce(
            (sum, end) => sum + (ended.get(end) ?? 0),
            0,
          ),
          right: 0,
        },
      ];
    };
  });
}

/** The lives of one worker. Each begins with what the one before was killed over, while its leases still hold. */
async function livesOf(stage: Stage, worker: number, { effect, lives, lanes, before }: KillsOptions): Promise<Call[]> {
  const struck: Call[] = [];
  let last: Call[] = [];
  for (let life = 0; life < lives; life++) {
    const name = (lane: number, index: number) => `${worker}-${life}-${lane}-${index}`;
    const redelivered = dealt(stage.again(last), lanes);
    last = Array.from({ length: lanes }, (_, lane) =>
      stage.call(name(lane, before), effect, { point: stage.dice.pick(STRIKE_POINTS[effect]), by: 'kill' }),
    );
    const orders = last.map((call, lane) => [
      ...(redelivered[lane] as Call[]),
      ...Array.from({ length: before }, (_, index) => stage.call(name(lane, index), effect)),
      call,
    ]);
    const crew = await stage.crew(lanes);
    crew.tell({ what: 'run', order: { lanes: orders, whenBusy: 'return' } });
    await crew.dies();
    stage.fault('SIGKILL');
    struck.push(...last);
  }
  return struck;
}

/** Everything is delivered once more before the leases run out, and twice after. Gives how the first of these ended. */
async function settle(stage: Stage, struck: readonly Call[], { lanes, reconcile }: KillsOptions) {
  const all = [...stage.calls.values()];
  const crew = await stage.crew(lanes);
  await crew.runs({ lanes: dealt(stage.again(struck), lanes), whenBusy: 'return' });
  const firstEnds = new Map<string, string>();
  const isStruck = new Set(struck.map(({ key }) => key));
  for (const entry of stage.world.read()) {
    if (entry.what === 'end' && isStruck.has(entry.key) && !firstEnds.has(entry.key))
      firstEnds.set(entry.key, entry.kind);
  }
  await stage.open.expireLeases();
  await crew.runs({ lanes: dealt(stage.again(all), lanes), whenBusy: 'return', reconcile });
  await crew.runs({ lanes: dealt(stage.again(all), lanes), whenBusy: 'return' });
  await crew.ends();
  return firstEnds;
}
