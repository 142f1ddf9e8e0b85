import { describe, expect, it } from 'vitest';
import { type Exploration, explore } from './explorer/explore.js';
import { FOUND_BY_CONFORMANCE, MUTANTS } from './explorer/mutants.js';
import { REAL } from './explorer/rules.js';
import type { Bounds } from './explorer/world.js';
import { LARGE_WORLDS, WORLDS } from './explorer/worlds.js';
import { BROKEN_STORES } from './support/broken-stores.js';

const isLarge = process.env.HOLDFAST_EXPLORE === 'large';
const worlds = Object.entries(isLarge ? { ...WORLDS, ...LARGE_WORLDS } : WORLDS);

/** What a person needs to see of a broken law: the law, and a shortest way to it. */
function report({ found }: Exploration): string {
  return found === undefined ? 'no law is broken' : [found.broken, ...found.path].join('\n  ');
}

describe('every interleaving of', () => {
  let states = 0;

  it.each(worlds)('%s keeps the laws', { timeout: 1_200_000 }, (name, bounds) => {
    const explored = explore(bounds);
    states += explored.states;
    if (isLarge) console.log(`${name}: ${explored.states} states, ${explored.moves} moves, depth ${explored.depth}`);
    expect(report(explored)).toBe('no law is broken');
  });

  it('is more than a hundred thousand states', () => {
    expect(states).toBeGreaterThanOrEqual(100_000);
  });
});

describe('a store without a guard is found out', () => {
  it.each(Object.entries(MUTANTS))('%s', (_, change) => {
    const found = worlds.some(([, bounds]) => explore(bounds, { ...REAL, ...change }).found !== undefined);
    expect(found).toBe(true);
  });

  it('and the report shows a shortest way to it', () => {
    const [bounds] = Object.values(WORLDS) as [Bounds];
    const explored = explore(bounds, { ...REAL, ...MUTANTS['complete is not fenced'] });
    expect(report(explored).split('\n  ')).toEqual([
      'complete was accepted from a zombie',
      'worker 0 calls',
      'worker 0: claim: execute',
      'worker 0 begins its effect',
      'worker 0 takes effect',
      'worker 0: step: ok',
      'the lease runs out',
      'worker 0 returns',
      'worker 1 calls',
      'worker 1: claim: execute',
      'worker 0: complete: ok',
    ]);
  });

  it.each(Object.entries(FOUND_BY_CONFORMANCE))('%s, by the conformance case %s', (_, id) => {
    expect(Object.keys(BROKEN_STORES)).toContain(id);
  });
});
