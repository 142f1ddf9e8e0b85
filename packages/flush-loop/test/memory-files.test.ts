import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type MemoryFiles, memoryFileTools, openMemoryFiles } from '@holdfast/flush-loop/memory-files';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let outside: string;
let memory: MemoryFiles;
const now = () => new Date('2026-11-30T09:12:33.456Z');

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'holdfast-memory-'));
  memory = await openMemoryFiles(join(outside, 'memory'), { now });
});
afterEach(() => rm(outside, { recursive: true }));

const onDisk = (path: string) => readFile(join(outside, 'memory', path), 'utf8');

describe('append', () => {
  it('writes Markdown that a person can read', async () => {
    expect(await memory.append('people/ada.md', 'Drinks **tea**.')).toEqual({
      ok: true,
      path: 'people/ada.md',
      bytes: 44,
    });
    await memory.append('people/ada.md', '- lives in London\n- likes engines 谢谢');
    expect(await onDisk('people/ada.md')).toBe(
      '## 2026-11-30 09:12:33 UTC\n\nDrinks **tea**.\n\n## 2026-11-30 09:12:33 UTC\n\n- lives in London\n- likes engines 谢谢\n',
    );
  });

  it('adds to a file that a person has written', async () => {
    await writeFile(join(outside, 'memory', 'mine.md'), '# Mine');
    await memory.append('mine.md', 'More.');
    expect(await onDisk('mine.md')).toBe('# Mine\n\n## 2026-11-30 09:12:33 UTC\n\nMore.\n');
  });

  it('refuses a note that is there already, word for word', async () => {
    await memory.append('a.md', 'Tea.');
    await memory.append('a.md', 'Tea.\n\nAnd cake.');
    expect(await memory.append('a.md', 'Tea.')).toEqual({
      ok: false,
      error: 'This note is written already, word for word. Nothing was added.',
      path: 'a.md',
    });
    expect((await memory.append('b.md', 'Tea.')).ok).toBe(true);
    expect((await memory.append('a.md', 'And cake.')).ok).toBe(true);
    expect((await memory.append('a.md', 'Tea')).ok).toBe(true);
    expect((await memory.append('a.md', 'Tea.\n')).ok).toBe(true);
    expect((await memory.append('a.md', 'Tea.\n')).ok).toBe(false);
  });

  it.each([
    ['no text', undefined],
    ['a number', 7],
    ['blanks', ' \n'],
    ['NUL', 'a\0b'],
    ['an escape sequence', 'a\u001b[2Jb'],
    ['a C1 control character', 'a\u009bb'],
    ['half a character', 'a\ud800'],
    ['more than a note may have', 'x'.repeat(8_001)],
  ])('refuses %s and writes nothing', async (_name, text) => {
    expect(await memory.append('a.md', text)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/note/i),
    });
    expect(await memory.list()).toEqual({ ok: true, files: [] });
  });

  it.each([
    ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no last line end', (text: string) => text.trimEnd()],
  ])('knows its notes again when an editor leaves %s', async (_name, edit) => {
    await memory.append('a.md', 'One.');
    await memory.append('a.md', 'Two\nlines.');
    await writeFile(join(outside, 'memory', 'a.md'), edit(await onDisk('a.md')));
    for (const text of ['One.', 'Two\nlines.', 'Two\r\nlines.']) {
      expect(await memory.append('a.md', text)).toMatchObject({ ok: false, error: expect.stringContaining('already') });
    }
    expect((await memory.append('a.md', 'Two')).ok).toBe(true);
  });

  it('has the note on the disk when it answers, and the names that lead to a new file', async () => {
    const handle = await open(outside);
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync');
    await handle.close();
    try {
      await memory.append('a/b.md', 'x');
      // The lock, the file, its folder and the root.
      expect(sync).toHaveBeenCalledTimes(4);
      await memory.append('a/b.md', 'y');
      expect(sync).toHaveBeenCalledTimes(6);
    } finally {
      sync.mockRestore();
    }
  });

  it('leaves the bytes of a person alone, valid UTF-8 or not, and counts them as they are', async () => {
    const bytes = Buffer.from('ff'.repeat(60), 'hex');
    await writeFile(join(outside, 'memory', 'a.md'), bytes);
    const small = await openMemoryFiles(join(outside, 'memory'), { maxFileBytes: 100, now });
    expect(await small.append('a.md', 'x'.repeat(11))).toMatchObject({ ok: false });
    expect(await small.append('a.md', 'x'.repeat(9))).toMatchObject({ ok: true, bytes: 100 });
    const whole = await readFile(join(outside, 'memory', 'a.md'));
    expect(whole.subarray(0, 60).equals(bytes)).toBe(true);
  });

  it('neither reads nor writes a file that is too large for it', async () => {
    await writeFile(join(outside, 'memory', 'large.md'), '');
    await truncate(join(outside, 'memory', 'large.md'), 10_000_001);
    const error = 'Nothing was done: the file is too large to be read.';
    expect(await memory.read('large.md')).toEqual({ ok: false, path: 'large.md', error });
    expect(await memory.append('large.md', 'x')).toEqual({ ok: false, path: 'large.md', error });
    await truncate(join(outside, 'memory', 'large.md'), 10_000_000);
    expect(await memory.read('large.md')).toMatchObject({ ok: true, totalChars: 10_000_000 });
  });

  it('keeps the number of files and the case of names among appends at the same time', async () => {
    const small = await openMemoryFiles(join(outside, 'small'), { maxFiles: 3, now });
    const names = ['Ada.md', 'ada.md', 'a/x.md', 'A/x.md', 'b.md', 'c.md', 'd.md'];
    const answers = await Promise.all(names.map((path) => small.append(path, 'x')));
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, true, false, true, false, false]);
    expect(await small.list()).toMatchObject({ files: [{ path: 'Ada.md' }, { path: 'a/x.md' }, { path: 'b.md' }] });
  });

  it('keeps the limits of a file and of the folder', async () => {
    const small = await openMemoryFiles(join(outside, 'small'), { maxFileBytes: 100, maxFiles: 2, now });
    expect(await small.append('a.md', 'x'.repeat(71))).toMatchObject({ ok: true, bytes: 100 });
    expect(await small.append('a.md', 'y')).toMatchObject({
      ok: false,
      error: expect.stringContaining('0 of 100 bytes left'),
    });
    expect(await small.append('b.md', 'x'.repeat(72))).toMatchObject({ ok: false });
    expect((await small.append('c.md', 'x')).ok).toBe(true);
    const third = await small.append('d.md', 'x');
    expect(third).toMatchObject({ ok: false, error: expect.stringContaining('limit of 2 files') });
    expect((await small.append('c.md', 'y')).ok).toBe(true);
  });
});

describe('read and list', () => {
  it('reads in parts that never halve a character', async () => {
    await writeFile(join(outside, 'memory', 'a.md'), `x${'😀'.repeat(30)}`);
    const reader = await openMemoryFiles(join(outside, 'memory'), { maxReadChars: 10 });
    let text = '';
    let from: number | undefined = 0;
    while (from !== undefined) {
      const part = await reader.read('a.md', from);
      if (!part.ok) throw new Error(part.error);
      expect(part.totalChars).toBe(61);
      expect(part.text).not.toMatch(/\p{Surrogate}/u);
      text += part.text;
      from = part.next;
    }
    expect(text).toBe(`x${'😀'.repeat(30)}`);
    expect(await reader.read('a.md', 2)).toMatchObject({ from: 1 });
    expect(await reader.read('a.md', 900)).toMatchObject({ ok: true, text: '' });
  });

  it.each([-1, 0.5, 'x', null, Number.NaN])('refuses to read from %s', async (from) => {
    await memory.append('a.md', 'x');
    expect(await memory.read('a.md', from)).toMatchObject({ ok: false, error: expect.stringContaining('from') });
  });

  it('says that a file is not there without telling where the memory is', async () => {
    const answer = await memory.read('nowhere.md');
    expect(answer).toMatchObject({ ok: false, path: 'nowhere.md' });
    expect(JSON.stringify(answer)).not.toContain(outside);
  });

  it('lists real files that a model can name, in code unit order', async () => {
    await memory.append('b/x.md', 'x');
    await memory.append('a.md', 'x');
    await memory.append('B.md', 'x');
    await writeFile(join(outside, 'memory', '.hidden.md'), 'x');
    await writeFile(join(outside, 'memory', 'other.txt'), 'x');
    await symlink('/etc/passwd', join(outside, 'memory', 'link.md'));
    const files = [{ path: 'B.md' }, { path: 'a.md' }, { path: 'b/x.md' }];
    expect(await memory.list()).toMatchObject({ ok: true, files });
    const two = await openMemoryFiles(join(outside, 'memory'), { maxFiles: 2 });
    expect(await two.list()).toMatchObject({ files: files.slice(0, 2), more: 1 });
  });
});

const attacks = [
  '',
  '.',
  '..',
  '/',
  '//',
  '../a.md',
  '../../etc/passwd',
  '/etc/passwd',
  '/etc/cron.d/a.md',
  'a/../../b.md',
  'a/../b.md',
  './a.md',
  'a/./b.md',
  'a//b.md',
  'a/',
  '/a.md',
  '~/a.md',
  '~root/a.md',
  '..\\a.md',
  'a\\..\\b.md',
  'C:\\a.md',
  'C:a.md',
  '\\\\server\\share\\a.md',
  'file:///etc/a.md',
  'a.md\0.txt',
  'a\0.md',
  'a.md:stream',
  'a.md::$DATA',
  '%2e%2e/a.md',
  '..%2fa.md',
  '..;/a.md',
  '....//a.md',
  '.../a.md',
  'a..md',
  'a..b.md',
  'a..b/c.md',
  '.a.md',
  '.git/config.md',
  'a/.ssh/b.md',
  'a .md ',
  ' a.md',
  'a.md\n',
  'a\nb.md',
  'a\r.md',
  'a\t.md',
  'a.md.',
  'a. /b.md',
  'a/.. /b.md',
  '.. /a.md',
  'CON.md',
  'nul.md',
  'com1.md',
  'a/LPT9.txt/b.md',
  'aux',
  'a.txt',
  'a',
  '.md',
  'a.MD',
  'a.md.lock',
  'a.md/b',
  'ａ.md',
  'ä.md',
  'a\u0308.md',
  '‥/a.md',
  '․․/a.md',
  '\u202ea.md',
  '$(id).md',
  '`id`.md',
  'a|b.md',
  'a*.md',
  '?.md',
  '-rf.md',
  `${'a/'.repeat(5)}b.md`,
  `${'a'.repeat(65)}.md`,
  'x'.repeat(100_000),
  undefined,
  null,
  7,
  {},
  ['a.md'],
  { toString: () => 'a.md' },
];

describe('path attacks', () => {
  it.each(attacks.map((path) => [JSON.stringify(path)?.slice(0, 40), path]))('refuses %s', async (_shown, path) => {
    for (const answer of [await memory.append(path, 'x'), await memory.read(path)]) {
      expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(/^This path cannot be used\. ./) });
    }
    expect(await memory.list()).toEqual({ ok: true, files: [] });
  });

  it('refuses links, whatever they point to', async () => {
    const inside = (name: string) => join(outside, 'memory', name);
    await mkdir(join(outside, 'elsewhere'));
    await writeFile(join(outside, 'elsewhere', 'secret.md'), 'secret');
    await symlink(join(outside, 'elsewhere'), inside('folder'));
    await symlink(join(outside, 'elsewhere', 'secret.md'), inside('file.md'));
    await symlink(join(outside, 'nowhere.md'), inside('dangling.md'));
    await mkdir(inside('real.md'));
    for (const path of ['folder/secret.md', 'folder/new.md', 'file.md', 'dangling.md', 'real.md']) {
      expect(await memory.append(path, 'x')).toMatchObject({ ok: false });
      expect(await memory.read(path)).toMatchObject({ ok: false });
    }
    expect(await readFile(join(outside, 'elsewhere', 'secret.md'), 'utf8')).toBe('secret');
    expect(await readFile(join(outside, 'nowhere.md'), 'utf8').catch(() => 'absent')).toBe('absent');
  });

  it('refuses a name that differs from another by case alone', async () => {
    await memory.append('People/Ada.md', 'x');
    const file = await memory.append('People/ada.md', 'x');
    expect(file).toMatchObject({ ok: false, error: expect.stringContaining('"Ada.md"') });
    const folder = await memory.append('people/bob.md', 'x');
    expect(folder).toMatchObject({ ok: false, error: expect.stringContaining('"People"') });
    expect((await memory.append('People/Ada.md', 'y')).ok).toBe(true);
  });

  it('works in a folder that is itself behind a link', async () => {
    await symlink(join(outside, 'memory'), join(outside, 'door'));
    const through = await openMemoryFiles(join(outside, 'door'));
    expect((await through.append('a.md', 'x')).ok).toBe(true);
    expect(through.directory).toBe(memory.directory);
  });
});

const run = promisify(execFile);

describe('many writers', () => {
  const script = fileURLToPath(new URL('./support/appending-process.mjs', import.meta.url));
  const writer = (...more: string[]) => run(process.execPath, [script, join(outside, 'memory'), ...more]);

  it('in one process lose and repeat nothing', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `note ${index % 20}`);
    const answers = await Promise.all(texts.map((text) => memory.append('a.md', text)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
    const written = (await onDisk('a.md')).match(/note \d+/g)?.sort();
    expect(written).toEqual(texts.slice(0, 20).sort());
  });

  it('in several processes lose and repeat nothing, and take over from one that was killed', async () => {
    await writer('killed', '1', 'die').catch((error: { signal: string }) => expect(error.signal).toBe('SIGKILL'));
    expect((await readdir(join(outside, 'memory'))).filter((name) => !/[0-9a-f]{12}$/.test(name))).toEqual(['.lock']);
    await Promise.all(['a', 'b', 'c'].map((name) => writer(name, '15')));
    const text = await onDisk('log.md');
    for (const name of ['a', 'b', 'c']) {
      const mine = [...text.matchAll(new RegExp(`note (\\d+) of writer ${name}\n(é+)\n`, 'g'))];
      expect(mine.map((found) => Number(found[1]))).toEqual(Array.from({ length: 15 }, (_, index) => index));
      expect(mine.every((found) => found[2]?.length === 500)).toBe(true);
    }
    expect(text.split('the same note from everybody')).toHaveLength(2);
  });

  const lock = (...names: string[]) => join(outside, 'memory', ['.lock', ...names].join('.'));
  const holder = (pid: number, start: string, host = hostname()) => `${pid} ${start} ${host} x`;
  /** No process has this number: it is above what Linux hands out. */
  const gone = holder(4_194_305, '1');

  it('take over from one that was killed while it took over, and again', async () => {
    for (const path of [lock(), lock('takeover'), lock('takeover', 'takeover')]) await writeFile(path, gone);
    const answers = await Promise.all([memory.append('a.md', 'x'), memory.append('b.md', 'y')]);
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await readdir(join(outside, 'memory'))).toEqual(['a.md', 'b.md']);
  });

  it.runIf(process.platform === 'linux')('take over when the number of the dead belongs to another now', async () => {
    await writeFile(lock(), holder(process.pid, '1'));
    expect((await memory.append('a.md', 'x')).ok).toBe(true);
  });

  it.each([
    ['a process that lives', () => holder(process.pid, '-')],
    ['a process of another host', () => holder(4_194_305, '1', 'elsewhere.invalid')],
    ['nobody who can be known', () => ''],
  ])('wait for %s, and say so after ten seconds', async (_name, text) => {
    await writeFile(lock(), text());
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(0).mockReturnValueOnce(9_999);
    clock.mockReturnValue(10_001);
    try {
      const answers = await Promise.all([memory.append('a.md', 'x'), memory.append('b.md', 'y')]);
      const error = 'Nothing was done: another process holds the lock ".lock" of the memory.';
      expect(answers).toMatchObject([{ ok: false, error }, { error }]);
    } finally {
      clock.mockRestore();
    }
    expect(await readFile(lock(), 'utf8')).toBe(text());
    expect(await memory.list()).toEqual({ ok: true, files: [] });
  });
});

describe('the host', () => {
  it('gets clear errors for what it passes', async () => {
    await writeFile(join(outside, 'file'), '');
    const bad: [unknown, object][] = [
      [join(outside, 'file'), {}],
      ['', {}],
      [undefined, {}],
      [outside, { maxFiles: 0 }],
      [outside, { maxNoteChars: Number.NaN }],
    ];
    for (const [directory, options] of bad) {
      await expect(openMemoryFiles(directory as string, options)).rejects.toMatchObject({
        code: 'ERR_HOLDFAST_MEMORY_FILES',
      });
    }
  });

  it('gets a disk that refuses as an answer, in words', async () => {
    await memory.append('a.md', 'x');
    await rm(join(outside, 'memory'), { recursive: true });
    await writeFile(join(outside, 'memory'), '');
    const answer = await memory.append('a.md', 'y');
    const error = 'Nothing was done: the folder of the memory is not there.';
    expect(answer).toEqual({ ok: false, path: 'a.md', error });
    expect(JSON.stringify(answer)).not.toContain(outside);
  });

  // A limit on the size of files makes a write end halfway, as a full disk does.
  it.runIf(process.platform === 'linux')('gets nothing of a note that did not fit on the disk', async () => {
    await memory.append('a.md', 'x'.repeat(400));
    const before = await onDisk('a.md');
    const code = `
      import { openMemoryFiles } from '@holdfast/flush-loop/memory-files';
      const memory = await openMemoryFiles(${JSON.stringify(join(outside, 'memory'))});
      for (const path of ['a.md', 'new.md']) console.log((await memory.append(path, 'y'.repeat(2_000))).error);`;
    const shell = 'trap \'\' XFSZ; ulimit -f 1; exec "$0" --input-type=module -e "$1"';
    const folder = fileURLToPath(new URL('..', import.meta.url));
    const { stdout } = await run('bash', ['-c', shell, process.execPath, code], { cwd: folder });
    expect(stdout).toBe('Nothing was done: the disk takes no larger file.\n'.repeat(2));
    expect(await onDisk('a.md')).toBe(before);
    expect(await memory.list()).toMatchObject({ files: [{ path: 'a.md' }] });
  });

  it('gets the verbs as LangChain tools', async () => {
    const [append, read, list] = memoryFileTools(memory);
    const invoke = async (tool: typeof append, args: object) => JSON.parse((await tool?.invoke(args)) as string);
    expect(await invoke(append, { path: 'a.md', text: 'Tea.' })).toMatchObject({ ok: true });
    expect(await invoke(read, { path: 'a.md' })).toMatchObject({ ok: true, text: expect.stringContaining('Tea.') });
    expect(await invoke(read, { path: 'a.md', from: 29 })).toMatchObject({ from: 29, text: 'ea.\n' });
    expect(await invoke(list, {})).toMatchObject({ ok: true, files: [{ path: 'a.md' }] });
    expect([append, read, list].map((tool) => tool?.name)).toEqual(['memory_append', 'memory_read', 'memory_list']);
  });
});
