/** A worker process: it carries out the orders that its parent sends, and is killed, stopped and cut off at its work. */

import type { ClaimRequest } from '@holdfast/receipts';
import { type Call, HELD, keyOf, type Order } from './calls.js';
import { perform } from './perform.js';
import { type Sabotage, sabotaged } from './sabotage.js';
import { type OpenStore, openStore, type Target } from './stores.js';
import { World } from './world.js';

/** What a worker is started with. */
export interface Instructions {
  readonly target: Target;
  readonly world: string;
  readonly lanes: number;
  /** How far this process's wall clock is off. */
  readonly skewMs?: number;
  readonly sabotage?: Sabotage;
}

/** What the parent says. */
export type Message =
  | { readonly what: 'run'; readonly order: Order }
  | { readonly what: 'hold'; readonly keys: readonly string[]; readonly request: ClaimRequest }
  | { readonly what: 'go on' }
  | { readonly what: 'end' };

const instructions = JSON.parse(process.argv[2] as string) as Instructions;
const { skewMs = 0 } = instructions;
const wallClock = Date.now;
Date.now = () => wallClock() + skewMs;

const world = new World(instructions.world);
// Clients of Redis send one command after another, so each lane has its own; the pool of PostgreSQL has one per lane.
const perLane = instructions.target.kind === 'redis' ? instructions.lanes : 1;
const opened = await Promise.all(Array.from({ length: perLane }, () => openPatiently()));
const stores = opened.map((open) => (instructions.sabotage ? sabotaged(open, instructions.sabotage) : open.store));
const storeOf = (lane: number) => stores[lane % stores.length] as (typeof stores)[number];

/** The time limits that cuts ask for are short, and a process that starts may be slow. */
async function openPatiently(tries = 20): Promise<OpenStore> {
  try {
    return await openStore(instructions.target, instructions.lanes, 'check');
  } catch (error) {
    if (tries === 1) throw error;
    return openPatiently(tries - 1);
  }
}

let goOn = () => {};
let gate = new Promise<void>((resolve) => {
  goOn = resolve;
});

function tell(what: string, more: object = {}): Promise<void> {
  return new Promise((resolve) => process.send?.({ what, ...more }, undefined, undefined, () => resolve()));
}

/** Makes the calls of all lanes. Once every lane has ended or been struck, the process is killed, or reports `inside`. */
async function run(order: Order): Promise<void> {
  let busy = order.lanes.length;
  let struck: Call['strike'];
  const leave = async () => {
    if (--busy > 0 || struck === undefined) return;
    if (struck.by === 'kill') process.kill(process.pid, 'SIGKILL');
    await tell('inside');
  };
  const park = async (call: Call) => {
    struck = call.strike;
    await leave();
    if (call.strike?.by === 'kill') await new Promise(() => {});
    await gate;
    struck = undefined;
    busy++;
  };
  const lane = async (calls: readonly Call[], index: number) => {
    for (const call of calls) {
      await perform(storeOf(index), world, call, order, { park });
      await tell('beat');
    }
    await leave();
  };
  await Promise.all(order.lanes.map(lane));
  await tell('done');
}

/** Claims, waits, and then tries every write that a holder may make. */
async function hold(keys: readonly string[], request: ClaimRequest): Promise<void> {
  const attempts = await Promise.all(
    keys.map(async (key, index) => {
      const claimed = await storeOf(index).claim(keyOf(key, HELD), request);
      return 'attempt' in claimed ? claimed.attempt : 0;
    }),
  );
  await tell('holding');
  await gate;
  const answers: string[] = [];
  for (const [index, key] of keys.entries()) {
    const store = storeOf(index);
    const claim = { attempt: attempts[index] as number, token: request.token };
    answers.push(
      (await store.renew(keyOf(key, HELD), claim, request.leaseMs)).kind,
      (await store.step(keyOf(key, HELD), claim, request.leaseMs, 'late', '1')).kind,
      (await store.fail(keyOf(key, HELD), claim, { kind: 'terminal', error: 'late' })).kind,
      (await store.complete(keyOf(key, HELD), claim, '"late"')).kind,
    );
  }
  await tell('answered', { answers });
}

process.on('message', async (message: Message) => {
  switch (message.what) {
    case 'run':
      return run(message.order);
    case 'hold':
      return hold(message.keys, message.request);
    case 'go on':
      goOn();
      gate = new Promise((resolve) => {
        goOn = resolve;
      });
      return;
    case 'end':
      await Promise.all(opened.map(({ close }) => close()));
      process.disconnect();
  }
});
await tell('ready');
