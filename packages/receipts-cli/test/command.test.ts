import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlsIn, receipts, receiptsInto, receiptsOnTerminal, receiptsUnheard } from './support/command.js';
import { fill, keyOf, SECRET, words } from './support/filled.js';

const folder = mkdtempSync(join(tmpdir(), 'receipts-cli-'));
const path = join(folder, 'receipts.db');
const run = (...args: string[]) => receipts(args, path);

/** Everything in the file. SQLite itself may move its log into it. */
function tables(): unknown[] {
  const database = new Libsql(path);
  const read = (table: string) => database.prepare(`SELECT * FROM ${table}`).all();
  const all = ['sqlite_schema', 'holdfast_receipts', 'holdfast_receipt_steps'].map(read);
  database.close();
  return all;
}

beforeAll(async () => {
  const database = new Libsql(path);
  await fill(openSqliteReceiptStore(database));
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('receipts', () => {
  it('shows nothing that a terminal would act on, and no result, to people', async () => {
    const list = await run('list', '--status', 'all');
    expect(controlsIn(list.stdout)).toEqual([]);
    expect(list.stdout).toMatch(/ acme 'run 7' send_email unknown +# no \\x1b\[31mroute\\x1b\]0;title\\x07 \\x9b2J/);
    const json = await run('show', ...words(keyOf('unknown')), '--json');
    expect(controlsIn(json.stdout)).toEqual([]);
    const late = await run('show', ...words(keyOf('late')));
    expect(late.stdout).toContain(`attempt 1 reported late that it completed: ${SECRET.length} characters; --result`);
    const done = await run('show', '4:acme5:run 710:send_email4:done', '--steps');
    expect(controlsIn(done.stdout)).toEqual([]);
    expect(list.stdout + late.stdout).not.toContain('secret');
    expect(done.stdout.match(/secret/g)).toHaveLength(1);
  });

  it('pages, and streams all', async () => {
    const args = ['list', '--status', 'failed', '--status', 'completed', '--tenant', 'acme', '--json'];
    const first = JSON.parse((await run(...args, '--limit', '1')).stdout);
    expect(first).toMatchObject({ receipts: [{ status: 'failed' }], next: 'completed:' });
    const second = JSON.parse((await run(...args, '--limit', '1', '--after', first.next)).stdout);
    expect(second).toMatchObject({ receipts: [{ status: 'completed' }] });
    expect(second.next).toBeUndefined();
    const lines = (await run(...args, '--all')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ status: 'failed' }, { status: 'completed' }]);
  });

  it('settles nothing without a terminal to ask on, nor without a yes', async () => {
    const done = await run('resolve', ...words(keyOf('unknown')), 'did-not-happen', '--attempt', '2');
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toMatch(/--yes/);
    expect((await run('show', ...words(keyOf('unknown')))).stdout).toContain('ambiguous');
  });

  it.runIf(process.platform === 'linux')('asks on a terminal, and takes everything but a yes for a no', async () => {
    const args = ['resolve', ...words(keyOf('unknown')), 'did-not-happen', '--attempt', '2'];
    const no = await receiptsOnTerminal(args, path, '\n');
    expect(no.stdout).toContain('Nothing was changed.');
    expect(no.code).toBe(1);
    const yes = await receiptsOnTerminal(args, path, 'y\n');
    expect(yes.stdout).toContain('Resolved. The receipt is now:');
    expect(yes.code).toBe(0);
  });

  it('creates no file for a mistyped path, and changes none by looking', async () => {
    const missing = join(folder, 'missing.db');
    expect(await receipts(['list', '--store', missing])).toMatchObject({ code: 3, stdout: '' });
    expect(existsSync(missing)).toBe(false);
    const before = tables();
    for (const command of ['doctor', 'list']) await run(command);
    expect(tables()).toEqual(before);
    const theirs = join(folder, 'theirs.db');
    writeFileSync(theirs, '');
    expect(
      await receipts(['gc', '--drop-results-after', '0s', '--keep-keys-for', '0s', '--store', theirs]),
    ).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no receipts in this file'),
    });
    expect(readFileSync(theirs)).toHaveLength(0);
  });

  it('names a file that is no database', async () => {
    const text = join(folder, 'text.db');
    writeFileSync(text, 'This is no database, however it is called.');
    for (const command of ['doctor', 'list']) {
      const { code, stdout, stderr } = await receipts([command, '--store', text]);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toBe(`receipts: The store sqlite:${text} cannot be opened. file is not a database\n`);
    }
  });

  it('makes calls of this hour new only for somebody who means it', async () => {
    const gc = ['gc', '--drop-results-after', '0s', '--keep-keys-for'];
    const before = (await run('list', '--status', 'all', '--json')).stdout;
    const refused = await run(...gc, '59min');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/run again .*--yes/)]);
    expect((await run(...gc, '0s', '--dry-run')).stdout).toMatch(/would remove 3 keys/);
    if (process.platform === 'linux') {
      const no = await receiptsOnTerminal([...gc, '0s'], path, 'n\n');
      expect([no.code, no.stdout]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
      const json = await receiptsOnTerminal([...gc, '0s', '--json'], path, '\n');
      expect(json.stdout).toContain('"keysRemoved": 0');
    }
    const keys = (stdout: string) =>
      (JSON.parse(stdout) as { receipts: { keyString: string }[] }).receipts.map((each) => each.keyString);
    expect(keys((await run('list', '--status', 'all', '--json')).stdout)).toEqual(keys(before));
    expect((await run(...gc, '0s', '--yes')).stdout).toMatch(/removed 3 keys/);
  });

  it.runIf(process.platform === 'linux')('ends in plain words when its output cannot be written', async () => {
    const { code, stderr } = await receiptsInto('/dev/full', ['list', '--status', 'all'], path);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^receipts: The output cannot be written\. .*ENOSPC.*\n$/),
    ]);
  });

  it('does what it was asked, though nobody listens to what it says', async () => {
    const key = keyOf('deaf');
    const database = new Libsql(path);
    const store = openSqliteReceiptStore(database);
    await store.claim(key, { effect: 'opaque', token: 't', leaseMs: 1_000, maxAttempts: 5 });
    await store.fail(key, { attempt: 1, token: 't' }, { kind: 'unknown', error: 'e' });
    const verdict = ['give-up', '--attempt', '1', '--error', 'no', '--yes'];
    expect(await receiptsUnheard(['resolve', ...words(key), ...verdict], path)).toMatchObject({ code: 0, stderr: '' });
    expect(await store.read(key)).toMatchObject({ status: 'rejected' });
    database.close();
  });

  it('says in plain words that a server is not there, without the password', async () => {
    for (const url of ['postgres://me:hunter2@127.0.0.1:1/x', 'redis://me:hunter2@127.0.0.1:1']) {
      const { code, stdout, stderr } = await receipts(['doctor', '--store', url]);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(/^receipts: The store \w+:\/\/127\.0\.0\.1:1\S* cannot be opened\. .*ECONNREFUSED/);
      expect(stderr).not.toMatch(/hunter2|\n./);
    }
  });

  it.each([
    [[], /receipts list/],
    [['lst'], /no command lst/],
    [['list', '--store', 'mysql://u:hunter2@h/x'], /no store for mysql/],
    [['list', '--store', 'postgres://u:hunter2#@h:x/y'], /not a URL/],
    [['list', '--store', 'redis:me:hunter2@h'], /not a URL/],
    [['list', '--store', 'postgres:/me:hunter2@h/x'], /not a URL/],
    [['list', '--store', 'postgres://me:1/hunter2@h/x'], /not a URL/],
    [['list', '--store', 'redis://h/0x1'], /number of a database/],
    [['list', '--store', 'redis://h?db=one'], /number of a database/],
    [['list', '--status', 'open'], /--status takes ambiguous/],
    [['list', 'acme'], /options only, and not acme/],
    [['gc', '--drop-results-after', '1d', '--keep-keys-for', '1d', '12h'], /not 12h\. .* quotes/],
    [['doctor', path], /options only/],
    [['resolve', 'a', 'b', 'c', 'd', 'give-up', '--attempt', '1', '--error', ' '], /give-up needs --error/],
    [['show', 'acme'], /TENANT RUN TOOL ARGS_HASH/],
    [['gc', '--drop-results-after', '30'], /30d|keep-keys-for/],
    [['resolve', 'a', 'b', 'c', 'd', 'happened', '--attempt', '1', '--result', 'no json'], /JSON/],
  ])('explains what it needed to be told: %j', async (args, expected) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(expected);
    expect(stdout + stderr).not.toMatch(/hunter2| {4}at /);
  });
});
