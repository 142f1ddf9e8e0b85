/** Runs the built demo as a user does: as a program of its own. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './temporary.js';

export interface DemoRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Below which the run was told to write. */
  readonly directory: string;
}

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, ...environment } = process.env;

export function runDemo(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<DemoRun> {
  const directory = join(temporaryDirectory(), 'out');
  const options = { env: { ...environment, NO_COLOR: '1', ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, '--dir', directory, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr, directory });
    });
  });
}

/** A text file for the run. */
export function inputFile(content: string | Uint8Array, name = 'notes.md'): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, content);
  return path;
}

/** What arrived in the outside world, as its own log has it. */
export function arrivals(directory: string, what: 'email' | 'report-part'): Record<string, unknown>[] {
  return lines(join(directory, 'outside-world.jsonl')).filter((entry) => entry['what'] === what);
}

export function lines(path: string): Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
}
