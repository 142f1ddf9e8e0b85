/** Runs the built command in a process of its own, as a shell does. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly bin: { readonly receipts: string };
};
const bin = fileURLToPath(new URL(`../../${manifest.bin.receipts}`, import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without a terminal, and without a store in the environment unless one is given. */
export function receipts(args: readonly string[], store = ''): Promise<Ran> {
  return finished(begun(args, store, 'pipe'), '');
}

/** With its output going into a file. */
export function receiptsInto(file: string, args: readonly string[], store: string): Promise<Ran> {
  const descriptor = openSync(file, 'w');
  const child = begun(args, store, descriptor);
  closeSync(descriptor);
  return finished(child, '');
}

/** With nobody who reads what it says beside its output. */
export function receiptsUnheard(args: readonly string[], store: string): Promise<Ran> {
  const child = begun(args, store, 'pipe');
  child.stderr?.destroy();
  return finished(child, '');
}

function begun(args: readonly string[], store: string, stdout: 'pipe' | number): ChildProcess {
  const env = { ...process.env, HOLDFAST_RECEIPTS_STORE: store };
  return spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', stdout, 'pipe'] });
}

/** The same on a terminal, where somebody types `typed`. `script` of util-linux makes the terminal. */
export function receiptsOnTerminal(args: readonly string[], store: string, typed: string): Promise<Ran> {
  const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
  const env = { ...process.env, HOLDFAST_RECEIPTS_STORE: store };
  return finished(spawn('script', ['-qec', command, '/dev/null'], { env, stdio: 'pipe' }), typed);
}

function finished(child: ChildProcess, typed: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk) => {
      // Typed once it is asked for; a terminal would lose what comes before.
      if (!stdout.includes('[y/N]') && `${stdout}${chunk}`.includes('[y/N]')) child.stdin?.end(typed);
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Characters that a terminal acts on, or that hide: everything but printable text and ends of lines. */
export function controlsIn(text: string): string[] {
  return text.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? [];
}
