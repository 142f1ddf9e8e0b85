// `node scripts/run.mjs build lint` installs what is missing and runs turbo with its telemetry off.
// What follows `--then` is a command run after that, at the root. Needs only Node and npm.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

checkNode();
installIfChanged();
const [tasks, then] = split(process.argv.slice(2), '--then');
if (tasks.length > 0) run('turbo', ['run', ...tasks]);
if (then.length > 0) run(then[0], then.slice(1));

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantMajor, wantMinor] = engines.node.replace('>=', '').split('.').map(Number);
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return;
  console.error(
    `Holdfast needs Node ${wantMajor}.${wantMinor} or newer; this is Node ${process.versions.node} (${process.execPath}).`,
  );
  console.error('Install a newer Node (https://nodejs.org) and run the command again.');
  process.exit(1);
}

// pnpm keeps a copy of the lockfile that it installed from: when both agree there is nothing to do.
function installIfChanged() {
  if (read('pnpm-lock.yaml') === read('node_modules/.pnpm/lock.yaml')) return;
  const installed = spawnSync('pnpm', ['--version'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const have = installed.status === 0 && `pnpm@${installed.stdout.trim()}` === packageManager;
  const [command, prefix] = have ? ['pnpm', []] : ['npx', ['--yes', packageManager]];
  run(command, [...prefix, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], {
    CI: process.env.CI ?? 'true',
  });
}

function run(command, args, extraEnv) {
  const env = {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
    PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH,
    ...extraEnv,
  };
  const done = spawnSync(command, args, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.error) console.error(`Cannot start ${command}: ${done.error.message}`);
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

function split(list, separator) {
  const at = list.indexOf(separator);
  return at === -1 ? [list, []] : [list.slice(0, at), list.slice(at + 1)];
}
