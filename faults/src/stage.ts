/** One scenario on one store: its receipts, its world, its calls and its workers. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Books, closeBooks, type Identity } from './books.js';
import type { Call, Order } from './calls.js';
import { Crew } from './crew.js';
import { type Dice, diceOf } from './dice.js';
import { perform } from './perform.js';
import type { Sabotage } from './sabotage.js';
import type { OwnServer } from './servers.js';
import { type OpenStore, openStore, type Target } from './stores.js';
import type { Instructions } from './worker.js';
import { World } from './world.js';

/** The databases, by the name of their store; `server` where the harness may kill it. */
export interface Site {
  readonly kind: Target['kind'];
  readonly url?: string;
  readonly server?: OwnServer;
}

export interface StageOptions {
  readonly seed: number;
  readonly durability?: 'A' | 'B';
  /** Given to every worker. */
  readonly worker?: { readonly sabotage?: Sabotage; readonly wallClock?: true };
}

/** What one scenario found on one store. */
export interface Report {
  readonly scenario: string;
  readonly store: Target['kind'];
  /** Injected faults by kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly processes: number;
  readonly books: Books;
  readonly identities: readonly Identity[];
}

let serial = 0;

export class Stage {
  readonly scenario: string;
  readonly site: Site;
  readonly dice: Dice;
  readonly world: World;
  readonly target: Target;
  readonly calls = new Map<string, Call>();
  readonly faults: Record<string, number> = {};
  readonly #directory = mkdtempSync(join(tmpdir(), 'faults-'));
  readonly #worker: NonNullable<StageOptions['worker']>;
  #open: OpenStore | undefined;
  #processes = 0;

  private constructor(scenario: string, site: Site, options: StageOptions) {
    this.scenario = scenario;
    this.site = site;
    this.dice = diceOf(options.seed, `${scenario} ${site.kind}`);
    this.world = new World(join(this.#directory, 'world'));
    this.#worker = options.worker ?? {};
    this.target = this.#targetOf(site, options.durability ?? 'B');
  }

  /** Runs a scenario on new receipts, and removes them afterwards. */
  static async run(
    scenario: string,
    site: Site,
    options: StageOptions,
    play: (stage: Stage) => Promise<(books: Books) => readonly Identity[]>,
  ): Promise<Report> {
    const stage = new Stage(scenario, site, options);
    stage.#open = await openStore(stage.target, 8, 'apply');
    try {
      const own = await play(stage);
      const books = await closeBooks(stage.world.read(), stage.calls.values(), stage.open.store);
      const identities = [...books.identities, ...own(books)];
      const { faults } = stage;
      return { scenario, store: site.kind, faults, processes: stage.#processes, books, identities };
    } finally {
      await stage.#close();
    }
  }

  get open(): OpenStore {
    return this.#open as OpenStore;
  }

  /** A new delivery of the call that `key` names. */
  call(key: string, effect: Call['effect'], strike?: Call['strike']): Call {
    const call: Call = { id: `call-${this.calls.size}`, key, effect, ...(strike && { strike }) };
    this.calls.set(call.id, call);
    return call;
  }

  /** Delivers again what was delivered before, once for each key. */
  again(calls: readonly Call[]): Call[] {
    const first = new Map(calls.map(({ key, effect }) => [key, effect]));
    return Array.from(first, ([key, effect]) => this.call(key, effect));
  }

  fault(kind: string, count = 1): void {
    this.faults[kind] = (this.faults[kind] ?? 0) + count;
  }

  /** Starts a process of `lanes` workers. */
  async crew(lanes: number, more: Partial<Instructions> = {}): Promise<Crew> {
    this.#processes++;
    const { sabotage, wallClock } = this.#worker;
    const target =
      wallClock && this.target.kind === 'sqlite' ? { ...this.target, clock: 'wall' as const } : this.target;
    return Crew.start({ target, world: this.world.path, lanes, ...(sabotage && { sabotage }), ...more });
  }

  /** Makes a call from the harness itself, whose store is whole. */
  ask(call: Call, order: Omit<Order, 'lanes'> = { whenBusy: 'return' }): Promise<string> {
    return perform(this.open.store, this.world, call, order);
  }

  #targetOf({ kind, url = '' }: Site, durability: 'A' | 'B'): Target {
    const name = `holdfast_faults_${process.pid}_${serial++}`;
    if (kind === 'sqlite') return { kind, path: join(this.#directory, 'receipts.db'), durability };
    return kind === 'postgres' ? { kind, url, schema: name } : { kind, url, prefix: name };
  }

  async #close(): Promise<void> {
    await this.open.drop();
    await this.open.close();
    this.world.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
