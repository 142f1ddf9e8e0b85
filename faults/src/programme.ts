/** Which scenarios run on which stores, and how large. */

import { clocks } from './scenarios/clocks.js';
import { crowd } from './scenarios/crowd.js';
import { cuts } from './scenarios/cuts.js';
import { kills } from './scenarios/kills.js';
import { poison } from './scenarios/poison.js';
import { restarts } from './scenarios/restarts.js';
import { stops } from './scenarios/stops.js';
import type { Report, Site } from './stage.js';

type Scenario = () => Promise<Report>;

/** Everything, on one store. */
export function fullProgramme(site: Site, seed: number): Scenario[] {
  const { server } = site;
  const size = { seed, lives: 8, lanes: 4, before: 2 };
  const fifty = { seed, processes: 5, workers: 50 };
  return [
    () => kills(site, { ...size, effect: 'opaque', reconcile: false }),
    () => kills(site, { ...size, effect: 'opaque', reconcile: true }),
    () => kills(site, { ...size, effect: 'resumable', reconcile: false }),
    () => stops(site, { seed, rounds: 12, lanes: 2 }),
    () => clocks(site, { seed, keys: 10 }),
    () => poison(site, { seed }),
    ...(site.kind === 'sqlite' ? [] : [() => cuts(site, { seed, keys: 800, lanes: 8, rate: 0.2 })]),
    ...(server === undefined
      ? []
      : [() => restarts({ ...site, server }, { seed, restarts: 8, between: 40, lanes: 4 })]),
    () => crowd(site, { ...fifty, keys: 1, callers: 50 }),
    () => crowd(site, { ...fifty, keys: 50, callers: 50 }),
    () => crowd(site, { ...fifty, keys: 5_000, callers: 2 }),
  ];
}

/** A little of everything that needs no server of its own. */
export function quickProgramme(site: Site, seed: number): Scenario[] {
  const size = { seed, lives: 1, lanes: 7, before: 1 };
  if (site.kind !== 'sqlite') return [() => cuts(site, { seed, keys: 60, lanes: 4, rate: 0.25 })];
  return [
    () => kills(site, { ...size, effect: 'opaque', reconcile: false }),
    () => kills(site, { ...size, effect: 'resumable', reconcile: false }),
    () => stops(site, { seed, rounds: 2, lanes: 2 }),
  ];
}
