// Packs every public package and looks at what a user would get: manifest, types, size of nothing but itself,
// and real installs that are imported by ESM, CommonJS and TypeScript. Needs a build and the npm registry.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { findNodes } from './nodes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const packFolder = join(root, '.pack');
const bin = join(root, 'node_modules', '.bin');
const core = ['tool-refs', 'receipts', 'stream-buffer', 'tool-registry', 'flush-loop'];
let passed = 0;
let failed = 0;

const packages = readdirSync(join(root, 'packages'))
  .map((folder) => ({ folder, manifest: readJson(join(root, 'packages', folder, 'package.json')) }))
  .filter(({ manifest }) => !manifest.private)
  .map(pack);

for (const one of packages) checkManifest(one);
for (const one of packages) {
  check(`${one.name}: publint`, () => run(join(bin, 'publint'), ['--strict', one.tarball]));
  if (one.specifiers.length > 0)
    check(`${one.name}: are the types wrong`, () => run(join(bin, 'attw'), [one.tarball, '--profile', 'node16']));
}
const nodes = findNodes();
for (const one of packages.filter(({ folder }) => core.includes(folder))) checkAlone(one);
const namingCore = packages.filter(({ folder }) => folder === 'tool-refs' || folder === 'flush-loop');
const named = [
  ...['pg@8.23.1', '@types/pg@8.23.1'],
  ...['zod@4.6.7', 'ioredis@6.0.0', 'libsql@0.5.29', '@cfworker/json-schema@4.1.6', '@opentelemetry/api@1.9.0'],
  ...['@modelcontextprotocol/sdk@1.32.2', '@modelcontextprotocol/server-memory@2026.8.31'],
];
await checkTogether('langchain 1.5.14', packages, ['langchain@1.5.14', ...named]);
await checkTogether('langchain 1.2.39', packages, ['langchain@1.2.39', ...named]);
await checkTogether('@langchain/core 0.3.80', namingCore, ['@langchain/core@0.3.80', 'zod@3.25.76']);
console.log(`packages: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function pack({ folder, manifest }) {
  mkdirSync(packFolder, { recursive: true });
  const tarball = join(packFolder, `${folder}.tgz`);
  run(join(bin, 'pnpm'), ['pack', '--out', tarball], join(root, 'packages', folder));
  const packed = JSON.parse(run('tar', ['xzOf', tarball, 'package/package.json']));
  const entries = Object.keys(manifest.exports).filter((key) => key !== './package.json');
  return { folder, name: manifest.name, tarball, packed, specifiers: entries.map((key) => join(manifest.name, key)) };
}

function checkManifest({ name, folder, packed, tarball }) {
  check(`${name}: nothing of the workspace in the manifest`, () => {
    const text = JSON.stringify(packed);
    for (const trace of ['@holdfast/kernel', '@holdfast/source', 'workspace:', 'devDependencies', '"scripts"'])
      if (text.includes(trace)) throw new Error(`${trace} is still in the packed manifest`);
  });
  check(`${name}: no trace of the kernel in the files, README and licence inside`, () => {
    const files = run('tar', ['tzf', tarball]).split('\n');
    const commands = Object.values(packed.bin ?? {}).map((file) => join('package', file));
    const entries = packed.exports['.'] ? ['package/dist/index.js', 'package/dist/index.d.cts'] : [];
    for (const wanted of ['package/README.md', 'package/LICENSE', ...entries, ...commands])
      if (!files.includes(wanted)) throw new Error(`${wanted} is missing`);
    const sources = files.filter((file) => file.startsWith('package/dist/'));
    if (run('tar', ['xzOf', tarball, ...sources]).includes('@holdfast/kernel'))
      throw new Error('the kernel is imported');
  });
  if (core.includes(folder))
    check(`${name}: no runtime dependency`, () => {
      if (packed.dependencies) throw new Error(`dependencies: ${JSON.stringify(packed.dependencies)}`);
    });
}

/** Installs one core package with nothing else, not even its peers, and imports it. */
function checkAlone({ name, tarball, specifiers, packed }) {
  const folder = project(name);
  check(`${name}: installs alone`, () =>
    run('npm', ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', tarball], folder),
  );
  importEverywhere(name, folder, [name]);
  // Subpaths may need an optional peer, which nobody gets without asking for it. LangChain is named in types only.
  const all = Object.entries(packed.peerDependencies ?? {});
  const isOptional = (peer) => packed.peerDependenciesMeta?.[peer]?.optional === true;
  const peers = all.filter(([peer]) => !(isOptional(peer) && peer === '@langchain/core'));
  const wanted = peers.map(([peer, range]) => `${peer}@${range}`);
  if (wanted.length > 0)
    check(`${name}: installs with ${wanted.join(', ')}`, () =>
      run('npm', ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', ...wanted], folder),
    );
  importEverywhere(`${name}, all entries`, folder, specifiers);
  if (all.every(([peer]) => isOptional(peer) && peer !== '@langchain/core'))
    check(`${name}: declarations compile with ES2022 alone`, () => {
      writeFileSync(join(folder, 'program.mts'), importAll(specifiers));
      run(join(bin, 'tsc'), [...compile('node16'), '--lib', 'es2022', '--typeRoots', 'none'], folder);
    });
  rmSync(folder, { recursive: true, force: true });
}

/** Installs packages together with their peers, imports and compiles them, and runs the code of their READMEs. */
async function checkTogether(name, selection, peers) {
  const folder = project('all');
  const tarballs = selection.map(({ tarball }) => tarball);
  const others = [...peers, 'typescript@5.9.3', '@types/node@20.19.0'];
  check(`${name}: install`, () => run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, ...others], folder));
  const all = selection.flatMap(({ specifiers }) => specifiers);
  importEverywhere(name, folder, all);
  for (const file of ['program.mts', 'program.cts']) writeFileSync(join(folder, file), importAll(all));
  const options = ['--skipLibCheck', '--types', 'node'];
  check(`${name}: TypeScript, moduleResolution node16`, () =>
    run('npx', ['tsc', ...compile('node16'), ...options, 'program.cts'], folder),
  );
  check(`${name}: TypeScript, moduleResolution bundler`, () =>
    run('npx', ['tsc', ...compile('bundler', 'esnext'), ...options], folder),
  );
  if (selection.some(({ packed }) => packed.bin?.receipts)) checkReceiptsCommand(name, folder);
  const { readmeBlocks, runReadmeBlock } = await readmeSupport();
  for (const { folder: source } of selection.filter(({ specifiers }) => specifiers.length > 0)) {
    const blocks = readmeBlocks(pathToFileURL(join(root, 'packages', source, 'test', 'readme.test.ts')).href);
    const files = blocks.map((_, index) => `readme-${source}-${index}.mts`);
    for (const [index, { code }] of blocks.entries()) writeFileSync(join(folder, files[index]), code);
    check(`${name}: README of ${source} compiles`, () =>
      run('npx', ['tsc', ...compile('bundler', 'esnext'), ...options, ...files], folder),
    );
    for (const block of blocks)
      await checkAsync(`${name}: README of ${source}, ${block.title}`, () => runReadmeBlock({ ...block, folder }));
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The command as `npx` starts it, on a store that the packed SQLite package has written. */
function checkReceiptsCommand(name, folder) {
  check(`${name}: npx receipts`, () => {
    const program = `import Database from 'libsql';
      import { executeOnce } from '@holdfast/receipts';
      import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
      const store = openSqliteReceiptStore(new Database('receipts.db'));
      const key = { tenantId: 'acme', runId: 'run-7', toolName: 'send_email', argsHash: 'hash' };
      await executeOnce(store, key, () => Promise.reject(new Error('socket hang up')));`;
    writeFileSync(join(folder, 'receipts.mjs'), program);
    run('node', ['receipts.mjs'], folder);
    const key = ['acme', 'run-7', 'send_email', 'hash'];
    const receipts = (...args) =>
      JSON.parse(run('npx', ['receipts', ...args, '--store', 'receipts.db', '--json'], folder));
    if (receipts('list').receipts[0].status !== 'ambiguous')
      throw new Error('list does not show the ambiguous receipt');
    const { outcome } = receipts('resolve', ...key, 'did-not-happen', '--attempt', '1', '--yes');
    if (outcome !== 'resolved') throw new Error(`resolve answers ${outcome}`);
    if (receipts('show', ...key).receipt.status !== 'failed') throw new Error('show does not show the verdict');
  });
}

/** The tests' own README runner, which is TypeScript. */
async function readmeSupport() {
  const outfile = join(packFolder, 'readme-support.mjs');
  buildSync({
    entryPoints: [join(root, 'test', 'support', 'readme.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  return import(pathToFileURL(outfile).href);
}

/** A TypeScript program that needs the types of every specifier. */
function importAll(specifiers) {
  const imports = specifiers.map(
    (specifier, index) => `import * as m${index} from '${specifier}';\nexport { m${index} };`,
  );
  return imports.join('\n');
}

function compile(moduleResolution, module = moduleResolution) {
  const options = ['--noEmit', '--strict', '--target', 'es2022'];
  return [...options, '--module', module, '--moduleResolution', moduleResolution, 'program.mts'];
}

function importEverywhere(name, folder, specifiers) {
  const list = JSON.stringify(specifiers);
  const say = "if (Object.keys(m).length === 0) throw new Error(name + ' exports nothing');";
  writeFileSync(join(folder, 'esm.mjs'), `for (const name of ${list}) { const m = await import(name); ${say} }`);
  writeFileSync(join(folder, 'cjs.cjs'), `for (const name of ${list}) { const m = require(name); ${say} }`);
  for (const [version, binary] of Object.entries(nodes))
    for (const file of ['esm.mjs', 'cjs.cjs'])
      check(`${name}: ${file.slice(0, 3).toUpperCase()} on Node ${version}`, () => run(binary, [file], folder));
}

function project(name) {
  const folder = mkdtempSync(join(tmpdir(), `holdfast-${name.replace(/\W+/g, '-')}-`));
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  return folder;
}

function check(title, body) {
  try {
    body();
    pass(title);
  } catch (error) {
    fail(title, error);
  }
}

async function checkAsync(title, body) {
  await body().then(
    () => pass(title),
    (error) => fail(title, error),
  );
}

function pass(title) {
  passed++;
  console.log(`ok - ${title}`);
}

function fail(title, error) {
  failed++;
  console.log(`not ok - ${title}\n${String(error.message ?? error).replace(/^/gm, '    ')}`);
}

function run(command, args, cwd = root) {
  const env = { ...process.env, NO_COLOR: '1', PATH: bin + delimiter + process.env.PATH };
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
