import { ToolOutputReferenceRegistry, type ToolOutputRegistryState } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const limits = {
  maxOutputSize: 6,
  maxTotalSize: 15,
  maxEntries: 4,
  maxActiveRuns: 3,
  maxEndedRuns: 2,
  maxResolvedSize: 30,
};
const runs = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The obvious registry: lists that are searched and copied, and every turn of every run remembered for good. */
class Model {
  active: { id: string; outputs: [key: string, output: string][] }[] = [];
  readonly usedTurns = new Map<string, Set<number>>();

  run(id: string) {
    const known = this.active.find((run) => run.id === id);
    if (known) return known;
    const run = { id, outputs: [] };
    this.active = [...this.active, run].slice(-limits.maxActiveRuns);
    return run;
  }

  set(id: string, key: string, output: string) {
    const run = this.run(id);
    let kept = '';
    for (const character of output) {
      if (kept.length + character.length > limits.maxOutputSize) break;
      kept += character;
    }
    run.outputs = [...run.outputs.filter(([name]) => name !== key), [key, kept] as [string, string]];
    while (run.outputs.length > limits.maxEntries || sum(run.outputs) > limits.maxTotalSize)
      run.outputs = run.outputs.slice(1);
    this.use(id, Number(/turn(\d+)$/.exec(key)?.[1]));
  }

  takeTurn(id: string) {
    const run = this.run(id);
    this.active = [...this.active.filter((other) => other !== run), run];
  }

  release(id: string) {
    this.active = this.active.filter((run) => run.id !== id);
  }

  saved: { state: ToolOutputRegistryState; active: Model['active'] } | undefined;

  restore(active: Model['active']) {
    for (const { id, outputs } of active) {
      this.release(id);
      this.run(id).outputs = [...outputs];
    }
  }

  use(id: string, turn: number) {
    this.usedTurns.set(id, (this.usedTurns.get(id) ?? new Set()).add(turn));
  }
}

function sum(outputs: [string, string][]): number {
  return outputs.reduce((total, [, output]) => total + output.length, 0);
}

const run = fc.constantFrom(...runs);
const key = fc.tuple(fc.nat(2), fc.nat(5)).map(([index, turn]) => `tool${index}turn${turn}`);
const output = fc
  .array(fc.constantFrom('a', 'bc', '😀', '{{tool0turn0}}'), { maxLength: 5 })
  .map((parts) => parts.join(''));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set' as const), run, key, output }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('turn' as const), run }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('batch' as const), run, output }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('named' as const), run, turn: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), run }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ask' as const), run, key }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('save' as const, 'load' as const, 'restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A turn from the registry's own count has never been used in its run before. */
function expectFresh(model: Model, id: string, turn: number) {
  expect(model.usedTurns.get(id)?.has(turn) ?? false).toBe(false);
  model.use(id, turn);
  model.takeTurn(id);
}

function save(registry: ToolOutputReferenceRegistry): ToolOutputRegistryState {
  return JSON.parse(JSON.stringify(registry.snapshotState())) as ToolOutputRegistryState;
}

/** Gives the registry that goes on: a restart is a new one with the state of the old. */
function apply(step: Step, registry: ToolOutputReferenceRegistry, model: Model): ToolOutputReferenceRegistry {
  switch (step.kind) {
    case 'save':
      model.saved = { state: save(registry), active: model.active.map((run) => ({ ...run })) };
      return registry;
    case 'load':
      if (model.saved) registry.restoreState(model.saved.state);
      model.restore(model.saved?.active ?? []);
      return registry;
    case 'restart': {
      const next = new ToolOutputReferenceRegistry(limits);
      next.restoreState(save(registry));
      return next;
    }
    default:
      applyToRun(step, registry, model);
      return registry;
  }
}

function applyToRun(step: Extract<Step, { run: string }>, registry: ToolOutputReferenceRegistry, model: Model) {
  switch (step.kind) {
    case 'set':
      registry.set(step.run, step.key, step.output);
      return model.set(step.run, step.key, step.output);
    case 'turn':
      return expectFresh(model, step.run, registry.nextTurn(step.run));
    case 'batch': {
      const batch = registry.beginBatch(step.run);
      expectFresh(model, step.run, batch.turn);
      batch.settle(0, step.output);
      return model.set(step.run, batch.key(0), step.output);
    }
    case 'named':
      try {
        registry.beginBatch(step.run, { turn: step.turn });
      } catch {
        return;
      }
      model.use(step.run, step.turn);
      return model.takeTurn(step.run);
    case 'release':
      registry.releaseRun(step.run);
      return model.release(step.run);
    case 'ask':
      registry.resolve(step.run, { a: `{{${step.key}}}` });
      registry.snapshot(step.run).resolve(`{{${step.key}}}`);
      return registry.has(step.run, step.key);
  }
}

const WHOLE_CHARACTERS = /^(?:[^\uD800-\uDFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF])*$/;

function isWithinBounds(outputs: readonly string[]): boolean {
  const fits = (text: string) => text.length <= limits.maxOutputSize && WHOLE_CHARACTERS.test(text);
  return outputs.length <= limits.maxEntries && outputs.join('').length <= limits.maxTotalSize && outputs.every(fits);
}

/** One assertion for all of it, since there are very many steps. */
function expectSame(registry: ToolOutputReferenceRegistry, model: Model, keys: Set<string>) {
  const wrong = runs.flatMap((id) => {
    const expected = new Map(model.active.find((one) => one.id === id)?.outputs);
    const held = [...keys].map((name) => registry.get(id, name));
    const differs = [...keys].some((name, at) => held[at] !== expected.get(name));
    return differs || !isWithinBounds(held.filter((output) => output !== undefined)) ? [{ id, held, expected }] : [];
  });
  const size = model.active.reduce((total, { outputs }) => total + outputs.length, 0);
  if (wrong.length > 0 || registry.size !== size) expect([wrong, registry.size]).toEqual([[], size]);
}

describe('the registry, after any sequence of steps', () => {
  it('holds what the obvious registry holds, within every bound, and never uses a turn twice', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        let registry = new ToolOutputReferenceRegistry(limits);
        const model = new Model();
        const keys = new Set<string>();
        for (const one of steps) {
          registry = apply(one, registry, model);
          for (const { outputs } of model.active) for (const [name] of outputs) keys.add(name);
          expectSame(registry, model, keys);
        }
      }),
      { numRuns: 400 },
    );
  });
});
