/** The account at the end: what became of each job, and whether that proves the point. */

import type { Report } from './report.js';
import type { RelayOutcome } from './worker-process.js';

/** A job, and how often its effect was counted where it happens. */
export interface CountedJob {
  readonly job: string;
  readonly effects: number;
}

export interface Account {
  /** The text to print, with a line end. */
  readonly text: string;
  /**
   * With receipts: each job was delivered again and its effect happened once. Without: some effect was seen to happen
   * more than once.
   */
  readonly holds: boolean;
}

/** Adds up what the workers told and what was counted outside. */
export function accountOf(relay: RelayOutcome, jobs: readonly CountedJob[], receipts: boolean): Account {
  const rows = jobs.map((counted) => rowOf(counted, relay.reports));
  const redelivered = rows.every(({ deliveries }) => deliveries > 1);
  const single = rows.every(({ effects }) => effects === 1);
  const repeated = rows.filter(({ effects }) => effects > 1).length;
  const verdict = receipts ? proof(redelivered && single) : `${repeated} of ${rows.length} effects happened again.`;
  const heading = `SIGKILL ended worker ${relay.killedPid} in the middle of ${rows.length} jobs; worker ${relay.secondPid} took them over.`;
  return {
    text: [heading, '', ...tableOf(rows), '', verdict, ''].join('\n'),
    holds: redelivered && (receipts ? single : repeated > 0),
  };
}

function proof(holds: boolean): string {
  return holds
    ? 'The proof holds: every job was taken up again, and every effect happened exactly once.'
    : 'The proof does not hold: a job was not taken up again, or an effect did not happen exactly once.';
}

function rowOf({ job, effects }: CountedJob, reports: readonly Report[]) {
  const told = reports.filter((report) => report.job === job);
  const standing = told.find((report) => report.kind === 'standing');
  const decided = told.filter((report) => report.kind === 'decided');
  return {
    job,
    'killed at': standing?.moment ?? '–',
    deliveries: told.filter(({ kind }) => kind === 'delivered').length,
    attempts: decided.at(-1)?.attempt ?? '–',
    decisions: decided.map(({ decision }) => decision).join(', ') || '–',
    effects,
  };
}

function tableOf(rows: readonly Readonly<Record<string, string | number>>[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
