/** The worlds that are explored: all of them in a normal test run, the large ones on demand. */

import type { Bounds } from './world.js';

const opaque = ['opaque', 'opaque', 'opaque'] as const;
const resumable = ['resumable', 'resumable', 'resumable'] as const;
const all = ['clean', 'unknown', 'terminal'] as const;

/** Some seconds of CPU in all; the smallest first, since mutants are looked for in this order. */
export const WORLDS: Readonly<Record<string, Bounds>> = {
  'resumable effects, a crash, a delayed message': {
    workers: 2,
    calls: 1,
    crashes: 1,
    ghosts: 1,
    verdicts: 0,
    maxAttempts: 2,
    effects: resumable,
    failures: ['clean'],
  },
  'an opaque and a resumable caller, a crash, a verdict': {
    workers: 2,
    calls: 1,
    crashes: 1,
    ghosts: 0,
    verdicts: 1,
    maxAttempts: 3,
    effects: ['opaque', 'resumable'],
    failures: all,
  },
  'lost and delayed messages, and nothing else': {
    workers: 2,
    calls: 2,
    crashes: 0,
    ghosts: 1,
    verdicts: 0,
    maxAttempts: 3,
    effects: opaque,
    failures: ['clean', 'terminal'],
  },
  'resumable effects, a verdict': {
    workers: 2,
    calls: 2,
    crashes: 0,
    ghosts: 0,
    verdicts: 1,
    maxAttempts: 2,
    effects: resumable,
    failures: ['clean'],
  },
  'opaque effects, a crash, a delayed message': {
    workers: 2,
    calls: 2,
    crashes: 1,
    ghosts: 1,
    verdicts: 0,
    maxAttempts: 3,
    effects: opaque,
    failures: all,
  },
  'three workers, a crash': {
    workers: 3,
    calls: 1,
    crashes: 1,
    ghosts: 0,
    verdicts: 0,
    maxAttempts: 3,
    effects: resumable,
    failures: ['clean'],
  },
  'opaque effects, a crash, a verdict': {
    workers: 2,
    calls: 2,
    crashes: 1,
    ghosts: 0,
    verdicts: 1,
    maxAttempts: 3,
    effects: opaque,
    failures: all,
  },
  'opaque effects, two verdicts': {
    workers: 2,
    calls: 2,
    crashes: 0,
    ghosts: 0,
    verdicts: 2,
    maxAttempts: 3,
    effects: opaque,
    failures: ['clean'],
  },
};

/** Minutes of CPU and some gigabytes. */
export const LARGE_WORLDS: Readonly<Record<string, Bounds>> = {
  'opaque effects, everything at once': {
    workers: 2,
    calls: 2,
    crashes: 1,
    ghosts: 1,
    verdicts: 1,
    maxAttempts: 3,
    effects: opaque,
    failures: all,
  },
  'resumable effects, everything at once': {
    workers: 2,
    calls: 2,
    crashes: 1,
    ghosts: 1,
    verdicts: 1,
    maxAttempts: 3,
    effects: resumable,
    failures: ['clean'],
  },
  'three workers, opaque effects, a verdict': {
    workers: 3,
    calls: 1,
    crashes: 1,
    ghosts: 0,
    verdicts: 1,
    maxAttempts: 3,
    effects: opaque,
    failures: all,
  },
};
