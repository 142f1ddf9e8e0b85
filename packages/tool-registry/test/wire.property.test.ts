/** The registry against plain arrays: what is registered, in which order, in which state. */

import { type ToolAvailability, type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySchema, names, tool, wireNames } from './support.js';

/** The oracle: rows of name and state, nothing else. */
interface Model {
  rows: { name: string; state: ToolAvailability }[];
}

interface Pair {
  registry: ToolRegistry;
  model: Model;
}

const POOL = ['a', 'b', 'c', 'd', 'e', '__proto__', 'constructor'];
const name = fc.constantFrom(...POOL);
const list = fc.array(name, { maxLength: 4 });
const state = fc.constantFrom<ToolAvailability>('active', 'deferred', 'suspended');

type Step = (pair: Pair) => void;

/** Applies a change to both, or sees both refuse it. */
function attempt(possible: boolean, onRegistry: () => unknown, onModel: () => void): void {
  if (!possible) {
    expect(onRegistry).toThrow();
    return;
  }
  onRegistry();
  onModel();
}

const has = ({ rows }: Model, wanted: string) => rows.some((row) => row.name === wanted);
const unique = (all: string[]) => new Set(all).size === all.length;

function setAll({ rows }: Model, all: string[], to: ToolAvailability): void {
  for (const row of rows) if (all.includes(row.name)) row.state = to;
}

const register = fc.tuple(list, state).map(
  ([all, to]): Step =>
    (pair) => {
      const possible = unique(all) && all.every((one) => !has(pair.model, one));
      const tools = all.map((one) => tool(one));
      attempt(
        possible,
        () => pair.registry.register(tools, to),
        () => {
          pair.model.rows.push(...all.map((one) => ({ name: one, state: to })));
        },
      );
    },
);

const registerBroken = fc.tuple(list, fc.nat(4)).map(
  ([all, at]): Step =>
    ({ registry }) => {
      const tools = all.map((one) => tool(one));
      const broken: Partial<ToolDefinition> = { inputSchema: anySchema({ type: 'string' }) };
      tools.splice(at, 0, tool('broken', broken));
      expect(() => registry.register(tools)).toThrow();
    },
);

const move = fc.tuple(list, fc.constantFrom<'activate' | 'defer'>('activate', 'defer')).map(
  ([all, verb]): Step =>
    (pair) => {
      const possible = all.every((one) => has(pair.model, one));
      attempt(
        possible,
        () => pair.registry[verb](all),
        () => {
          setAll(pair.model, all, verb === 'activate' ? 'active' : 'deferred');
        },
      );
    },
);

const suspend = fc.constant<Step>((pair) => {
  pair.registry.suspendAll();
  const active = pair.model.rows.filter((row) => row.state === 'active').map((row) => row.name);
  setAll(pair.model, active, 'suspended');
});

const unregister = name.map(
  (one): Step =>
    (pair) => {
      expect(pair.registry.unregister(one)).toBe(has(pair.model, one));
      pair.model.rows = pair.model.rows.filter((row) => row.name !== one);
    },
);

const replace = name.map(
  (one): Step =>
    (pair) => {
      attempt(
        has(pair.model, one),
        () => pair.registry.replace(tool(one)),
        () => undefined,
      );
    },
);

/** The old pair is left behind with a change that the fork must not see. */
const fork = fc.option(list, { nil: undefined }).map(
  (kept): Step =>
    (pair) => {
      const possible = kept === undefined || (unique(kept) && kept.every((one) => has(pair.model, one)));
      const old = pair.registry;
      attempt(
        possible,
        () => (pair.registry = old.fork(kept ? { deferExcept: kept } : {})),
        () => {
          const dropped = pair.model.rows.filter((row) => row.state === 'active' && kept && !kept.includes(row.name));
          setAll(
            pair.model,
            dropped.map((row) => row.name),
            'deferred',
          );
          old.clear();
        },
      );
    },
);

const saveAndRestore = fc.constant<Step>(({ registry }) => {
  const saved = registry.saveAvailability();
  registry.suspendAll();
  registry.restoreAvailability(saved);
});

const step = fc.oneof(register, registerBroken, move, suspend, unregister, replace, fork, saveAndRestore);

function compare({ registry, model }: Pair): void {
  const of = (...states: ToolAvailability[]) =>
    model.rows.filter((row) => states.includes(row.state)).map((row) => row.name);
  expect(registry.saveAvailability().tools).toEqual(model.rows.map((row) => [row.name, row.state]));
  expect(registry.listNames()).toEqual(model.rows.map((row) => row.name));
  expect(wireNames(registry.toLLMTools())).toEqual(of('active', 'suspended'));
  expect(names(registry.getCallableTools())).toEqual(of('active'));
  expect(names(registry.getAll())).toEqual(registry.listNames());
  expect(registry.hasSuspended()).toBe(of('suspended').length > 0);
  expect(registry.size()).toBe(model.rows.length);
}

describe('any sequence of changes', () => {
  it('leaves the tools on the wire in the order of registration, and a refused change leaves everything', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const pair: Pair = { registry: new ToolRegistry(), model: { rows: [] } };
        for (const apply of steps) {
          apply(pair);
          compare(pair);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same wire objects for the same active set, whatever the order of activation', () => {
    const shuffled = fc.shuffledSubarray(POOL, { minLength: POOL.length });
    fc.assert(
      fc.property(shuffled, shuffled, fc.subarray(POOL), (first, second, active) => {
        const registry = new ToolRegistry();
        registry.register(
          POOL.map((one) => tool(one)),
          'deferred',
        );
        const inOrder = (order: string[]) => {
          const copy = registry.fork();
          for (const one of order) if (active.includes(one)) copy.activate([one]);
          return copy.toLLMTools();
        };
        const [one, other] = [inOrder(first), inOrder(second)];
        expect(wireNames(one)).toEqual(active);
        expect(one.every((entry, index) => entry === other[index])).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
