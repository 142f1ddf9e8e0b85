// `node scripts/better-sqlite3.mjs` runs the tests of the SQLite store on better-sqlite3 itself. The workspace has libsql
// in its place, because better-sqlite3 fetches a prebuilt binary from GitHub when it is installed, or else compiles for a
// minute and needs a compiler. It is kept in .pack/, so only the first run takes that long.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '12.11.1';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.pack', `better-sqlite3-${VERSION}-node-${process.versions.modules}`);
const driver = join(folder, 'node_modules', 'better-sqlite3');

if (!existsSync(join(driver, 'build', 'Release', 'better_sqlite3.node'))) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `better-sqlite3@${VERSION}`], folder);
}
run(join(root, 'node_modules', '.bin', 'vitest'), ['run'], join(root, 'packages', 'receipts-sqlite'));

function run(command, args, cwd) {
  const env = { ...process.env, HOLDFAST_BETTER_SQLITE3: driver };
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
