/** Runs a built example as a user does: as a program of its own. */

import { type ChildProcess, spawn } from 'node:child_process';

export interface MainRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The name of what the run created on its server. */
  readonly name: string;
}

export interface MainOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Called when the run has told its name. */
  readonly onName?: (child: ChildProcess) => void;
}

export function runMain(file: string, { args = [], env = {}, onName }: MainOptions = {}): Promise<MainRun> {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout === '') onName?.(child);
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout, stderr, name: /holdfast_example_\w+/.exec(stdout)?.[0] ?? '' });
    });
  });
}

/** The line of a job in the account: what its columns begin with, and with how many effects it ends. */
export function rowOf({ stdout }: MainRun, job: string): string {
  return stdout.split('\n').find((line) => line.startsWith(job)) ?? '';
}
