/** Programs that a test starts, and whether they have ended. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, ...environment } = process.env;

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built example to its end; `input` is its standard input. */
export function run(args: readonly string[], { input = '', env = {} } = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { env: { ...environment, ...env } },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
    child.stdin?.end(input);
  });
}

const children: ChildProcess[] = [];

/** Starts a program of Node's and leaves its input open; {@link endChildren} ends what a failed test leaves running. */
export function startNode(args: readonly string[], cwd?: string): ChildProcess {
  const child = spawn(process.execPath, args, { env: environment, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** Starts the built example. */
export function start(args: readonly string[]): ChildProcess {
  return startNode([main, ...args]);
}

export function endChildren(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

export function pidsIn(text: string): number[] {
  return [...text.matchAll(/pid (\d+)/g)].map((found) => Number(found[1]));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
