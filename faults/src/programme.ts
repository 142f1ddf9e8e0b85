/** Which scenarios run on which stores, and how large. */

import { clocks } from './scenarios/clocks.js';
import { crowd } from './scenarios/crowd.js';
import { cuts } from './scenarios/cuts.js';
import { kills } from './scenarios/kills.js';
import { poison } from './scenarios/poison.js';
import { restarts } from './scenarios/restarts.js';
import { overtaken, stops } from './scenarios/stops.js';
import type { OwnServer } from './servers.js';
import type { Report, Site } from './stage.js';

export const SCENARIOS = ['kills', 'stops', 'clocks', 'poison', 'cuts', 'restarts', 'crowd'] as const;

export interface Scenario {
  readonly name: (typeof SCENARIOS)[number];
  readonly run: () => Promise<Report>;
}

/** Everything, on one store. */
export function fullProgramme(site: Site, seed: number): Scenario[] {
  const { server } = site;
  const size = { seed, lives: 8, lanes: 4, before: 2 };
  const fifty = { seed, processes: 5, workers: 50 };
  const cutting: Scenario = { name: 'cuts', run: () => cuts(site, { seed, keys: 800, lanes: 8, rate: 0.2 }) };
  const restarting = (killable: OwnServer): Scenario => ({
    name: 'restarts',
    run: () => restarts({ ...site, server: killable }, { seed, restarts: 8, between: 40, lanes: 4 }),
  });
  return [
    { name: 'kills', run: () => kills(site, { ...size, effect: 'opaque', reconcile: false }) },
    { name: 'kills', run: () => kills(site, { ...size, effect: 'opaque', reconcile: true }) },
    { name: 'kills', run: () => kills(site, { ...size, effect: 'resumable', reconcile: false }) },
    { name: 'stops', run: () => stops(site, { seed, rounds: 12, lanes: 2 }) },
    { name: 'stops', run: () => overtaken(site, { seed, rounds: 2, lanes: 3 }) },
    { name: 'clocks', run: () => clocks(site, { seed, keys: 10 }) },
    { name: 'poison', run: () => poison(site, { seed }) },
    ...(site.kind === 'sqlite' ? [] : [cutting]),
    ...(server === undefined ? [] : [restarting(server)]),
    { name: 'crowd', run: () => crowd(site, { ...fifty, keys: 1, callers: 50 }) },
    { name: 'crowd', run: () => crowd(site, { ...fifty, keys: 50, callers: 50 }) },
    { name: 'crowd', run: () => crowd(site, { ...fifty, keys: 5_000, callers: 2 }) },
  ];
}

/** A little of everything that needs no server of its own. */
export function quickProgramme(site: Site, seed: number): Scenario[] {
  const size = { seed, lives: 1, lanes: 7, before: 1 };
  if (site.kind !== 'sqlite')
    return [{ name: 'cuts', run: () => cuts(site, { seed, keys: 60, lanes: 4, rate: 0.25 }) }];
  return [
    { name: 'kills', run: () => kills(site, { ...size, effect: 'opaque', reconcile: false }) },
    { name: 'kills', run: () => kills(site, { ...size, effect: 'resumable', reconcile: false }) },
    { name: 'stops', run: () => stops(site, { seed, rounds: 2, lanes: 2 }) },
  ];
}
