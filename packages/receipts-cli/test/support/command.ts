/** Runs the built command in a process of its own, as a shell does. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
  const env = { ...process.env, HOLDFAST_RECEIPTS_STORE: store };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Characters that a terminal acts on, or that hide: everything but printable text and ends of lines. */
export function controlsIn(text: string): string[] {
  return text.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? [];
}
