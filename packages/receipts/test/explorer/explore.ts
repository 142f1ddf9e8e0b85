/** Every world that can be reached, breadth first, so that the first one that breaks a law is reached by a shortest path. */

import { resultOf } from './messages.js';
import { movesFrom } from './moves.js';
import { REAL, type Rules, rulesOf, type Transitions } from './rules.js';
import { type Bounds, FIELD, LATE, type Layout, layoutOf, PC, WORKER, type World } from './world.js';

export interface Exploration {
  readonly states: number;
  readonly moves: number;
  readonly depth: number;
  /** What was broken, and how it came to that; absent when no law is. */
  readonly found?: { readonly broken: string; readonly path: readonly string[] };
}

/** Explores all worlds within the bounds; stops at the first that breaks a law. */
export function explore(bounds: Bounds, transitions: Transitions = REAL): Exploration {
  const layout = layoutOf(bounds);
  const rules = rulesOf(transitions, { effectOf: layout.effectOf, maxAttempts: bounds.maxAttempts });
  const seen = new Set<string>([nameOf(layout.start)]);
  const parents: number[] = [-1];
  const labels: string[] = ['nothing has happened'];
  const depths: number[] = [0];
  // The worlds in the order in which they were found; those that have been left are let go.
  const worlds: (World | undefined)[] = [layout.start];
  let moves = 0;
  for (let index = 0; index < worlds.length; index++) {
    const world = worlds[index] as World;
    worlds[index] = undefined;
    for (const move of movesFrom(world, layout, rules)) {
      moves++;
      const name = nameOf(move.world);
      const isNew = !seen.has(name);
      const broken = move.broken ?? (isNew ? brokenLaw(move.world, layout, rules) : undefined);
      if (broken !== undefined) {
        const path = [...pathTo(index, parents, labels), move.what];
        return { states: seen.size, moves, depth: path.length, found: { broken, path } };
      }
      if (!isNew) continue;
      seen.add(name);
      worlds.push(move.world);
      parents.push(index);
      labels.push(move.what);
      depths.push((depths[index] as number) + 1);
    }
  }
  return { states: seen.size, moves, depth: depths.at(-1) as number };
}

function nameOf(world: World): string {
  return String.fromCharCode(...world);
}

function pathTo(index: number, parents: readonly number[], labels: readonly string[]): string[] {
  const path: string[] = [];
  for (let at = index; at > 0; at = parents[at] as number) path.push(labels[at] as string);
  return path.reverse();
}

/** Laws about all that has happened. */
function brokenLaw(world: World, layout: Layout, rules: Rules): string | undefined {
  const id = world[FIELD.row] as number;
  const row = rules.row(id);
  const isOpaque = layout.bounds.effects.every((effect) => effect === 'opaque');
  if (isOpaque && (world[FIELD.landed] as number) > 1 + (world[FIELD.allowances] as number)) {
    return 'an opaque effect happened more often than it was said not to have happened';
  }
  if ((row?.attempts ?? 0) > layout.bounds.maxAttempts) return 'more attempts were granted than the limit says';
  const acknowledged = world[FIELD.acknowledged] as number;
  if (acknowledged > 0 && (row?.status !== 'completed' || row.result !== resultOf(acknowledged))) {
    return 'an acknowledged result is lost';
  }
  if (isQuiet(world, layout) && world[FIELD.excused] === 0 && row !== undefined) {
    if (row.status === 'running') return 'a receipt runs for nobody, though nothing crashed';
    if (row.status === 'ambiguous') return 'a receipt is ambiguous, though every worker knew what it did';
  }
  return rules.deadEnd(id);
}

/** Nobody is doing anything, and nothing is under way. */
function isQuiet(world: World, { bounds, worker, lates }: Layout): boolean {
  for (let index = 0; index < bounds.workers; index++) {
    if (world[worker(index) + WORKER.pc] !== PC.idle) return false;
  }
  return lates.every((at) => world[at + LATE.verb] === 0);
}
