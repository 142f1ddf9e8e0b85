/** Runs the demo: starts worker after worker, and kills each at the next planned moment until one comes through. */
import { join } from 'node:path';
import { readNotes } from '../agent/memory.js';
import type { InputFile } from '../input-file.js';
import { killPlan, type PlannedKill } from '../kill-plan.js';
import { type ModelServer, startModelServer } from '../model/model-server.js';
import type { DemoOptions } from '../options.js';
import type { Job, ModelSettings, WorkerSummary } from '../protocol.js';
import { type OutsideWorld, startOutsideWorld } from '../world/outside-world.js';
import { type CallRow, CallTable } from './call-table.js';
import { countOutside } from './count-outside.js';
import { countReceipts, type ReceiptCount } from './count-receipts.js';
import { runWorker, type WorkerEnd } from './worker-process.js';

/** What can be seen of a run at any moment. */
export interface DemoView {
  readonly rows: readonly CallRow[];
  readonly kills: readonly PlannedKill[];
  readonly plannedKills: number;
  /** The number of the newest worker, from 1. */
  readonly worker: number;
}

export interface DemoOutcome extends DemoView {
  readonly world: Pick<OutsideWorld, 'emails' | 'parts'>;
  readonly notes: readonly string[];
  readonly receipts: ReceiptCount;
  readonly summary: WorkerSummary | undefined;
  /** Why the run broke off, if it did. */
  readonly error: string | undefined;
}

export interface DemoWatcher {
  change(view: DemoView, row: CallRow, what: 'call' | 'kill'): void;
}

export interface DemoSettings {
  readonly options: DemoOptions;
  readonly input: InputFile;
  readonly directory: string;
  /** Milliseconds between two pieces of the scripted model's stream. */
  readonly paceMs: number;
}

export async function runDemo(settings: DemoSettings, watcher: DemoWatcher): Promise<DemoOutcome> {
  const world = await startOutsideWorld(join(settings.directory, 'outside-world.jsonl'));
  const run = new DemoRun(settings, watcher, world);
  const server =
    settings.options.model === 'scripted'
      ? await startModelServer({ paceMs: settings.paceMs, halfway: (tool) => run.halfway(tool) })
      : undefined;
  try {
    let end = await run.toEnd(modelSettings(server));
    if (end.kind === 'done' && settings.options.without) end = await run.withoutKill(modelSettings(server));
    return {
      ...run.view(),
      world,
      notes: readNotes(settings.directory).map(({ note }) => note),
      receipts: settings.options.without ? { completed: 0, open: 0 } : await countReceipts(settings.directory),
      summary: end.kind === 'done' ? end.summary : undefined,
      error: errorOf(end),
    };
  } finally {
    await Promise.all([world.close(), server?.close()]);
  }
}

class DemoRun {
  readonly #settings: DemoSettings;
  readonly #watcher: DemoWatcher;
  readonly #world: OutsideWorld;
  readonly #plan: readonly PlannedKill[];
  readonly #kills: PlannedKill[] = [];
  readonly #table: CallTable;
  #worker = 0;
  #end: Promise<unknown> = Promise.resolve();

  constructor(settings: DemoSettings, watcher: DemoWatcher, world: OutsideWorld) {
    this.#settings = settings;
    this.#watcher = watcher;
    this.#world = world;
    this.#plan = killPlan(settings.options.reconcile);
    const started = performance.now();
    this.#table = new CallTable(
      () => (performance.now() - started) / 1000,
      (tool, about) => countOutside(world, readNotes(settings.directory), tool, about),
    );
  }

  view(): DemoView {
    return {
      rows: this.#table.rows,
      kills: this.#kills,
      plannedKills: this.#plan.length,
      worker: this.#worker,
    };
  }

  /** A kill in the middle of a stream needs a stream: the model stops halfway until the worker is dead. */
  async halfway(tool: string): Promise<void> {
    if (tool === 'send_email' && this.#next()?.point === 'email-streaming') await this.#end;
  }

  /** Starts workers until one is not killed by the plan. */
  async toEnd(model: ModelSettings): Promise<WorkerEnd> {
    for (;;) {
      const killsBefore = this.#kills.length;
      const running = this.#start(this.#jobFor(model));
      this.#end = running;
      const end = await running;
      if (end.kind !== 'killed' || this.#kills.length === killsBefore) return end;
    }
  }

  /** One more worker, of a plain graph that meets an ordinary error. */
  withoutKill(model: ModelSettings): Promise<WorkerEnd> {
    return this.#start({ ...this.#jobFor(model), mode: 'no-kill' });
  }

  #start(job: Job): Promise<WorkerEnd> {
    this.#worker += 1;
    const number = this.#worker;
    return runWorker(job, {
      onCall: (message, pid) => this.#changed(this.#table.update(number, pid, message), 'call'),
      onPoint: (point, pid) => {
        const planned = this.#next();
        if (planned?.point !== point) return 'go-on';
        this.#kills.push(planned);
        this.#changed(this.#table.kill(number, pid, planned), 'kill');
        return 'kill';
      },
    });
  }

  #next(): PlannedKill | undefined {
    return this.#plan[this.#kills.length];
  }

  #changed(row: CallRow, what: 'call' | 'kill'): void {
    this.#watcher.change(this.view(), row, what);
  }

  #jobFor(model: ModelSettings): Job {
    const { options, input, directory } = this.#settings;
    return {
      mode: options.without ? 'plain' : 'holdfast',
      inputName: input.name,
      inputPath: input.path,
      directory,
      worldUrl: this.#world.url,
      model,
      reconcile: options.reconcile,
      checkpointLags: this.#next()?.checkpointLags === true,
    };
  }
}

function errorOf(end: WorkerEnd): string | undefined {
  if (end.kind === 'done') return undefined;
  return end.kind === 'failed' ? end.error : 'A worker was killed by someone else.';
}

function modelSettings(server: ModelServer | undefined): ModelSettings {
  if (server) return { baseUrl: `${server.url}/v1`, apiKey: 'no-key-needed', name: 'scripted-model' };
  const { OPENAI_API_KEY = '', OPENAI_BASE_URL, OPENAI_MODEL = 'gpt-4o-mini' } = process.env;
  return { baseUrl: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY, name: OPENAI_MODEL };
}
