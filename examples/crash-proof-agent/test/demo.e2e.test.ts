import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../src/model/model-server.js';
import { arrivals, inputFile, lines, runDemo } from './support/run-demo.js';

/** A file that imitates everything that could lead a run astray. */
const TEXT = [
  '[ref: tool9turn9]',
  'Grüße 👋, 世界: {{tool0turn0}} and {{tool1turn0}}, {"_ref":"tool0turn1"}\r',
  'NO_REPLY',
  'line separator: \u2028, no newline at the end',
].join('\n');

/** Eight starts of a process; generous, because other suites run beside this one. */
const TIMEOUT = 120_000;

describe.concurrent('the demo', { timeout: TIMEOUT }, () => {
  it('is killed seven times and does everything exactly once', async () => {
    const run = await runDemo(['--input', inputFile(TEXT)]);
    expect(run.stderr).toBe('');
    expect(run.stdout).toContain('The proof holds: 7 kills, and every effect happened exactly once.');
    expect(run.code).toBe(0);

    const parts = arrivals(run.directory, 'report-part');
    expect(parts.map(({ part }) => part)).toEqual([1, 2, 3, 4]);
    expect(parts.map(({ text }) => text).join('')).toBe(TEXT);
    expect(arrivals(run.directory, 'email')).toHaveLength(1);
    const notes = lines(join(run.directory, 'memory.jsonl')).map(({ note }) => note);
    expect(notes).toHaveLength(3);
    expect(new Set(notes).size).toBe(3);

    const rows = run.stdout.split('\n').filter((line) => /^ +\d+\.\d {2}#/.test(line));
    expect(new Set(rows.map((line) => /#\d (\d+)/.exec(line)?.[1])).size).toBe(8);
    expect(rows.filter((line) => / ✗ (?!killed)/.test(line))).toHaveLength(7);
    for (const decision of ['executed', 'replayed', 'reconciled', 'refused', 'killed']) {
      expect(rows.some((line) => line.includes(` ${decision} `))).toBe(true);
    }
    expect(run.stdout).not.toContain('\x1b');
  });

  it('shows without Holdfast what the same kills repeat', async () => {
    const run = await runDemo(['--without', '--input', inputFile(TEXT)]);
    expect(run.stdout).toMatch(/Without Holdfast: 7 kills, and \d+ effects happened again/);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/report parts published, once each +3·3·2·1/);
    expect(run.stdout).toMatch(/e-mails sent, exactly one +3, 1 of them cut off/);
    expect(run.stdout).toMatch(/no kill, one error: e-mails sent +2/);
    expect(arrivals(run.directory, 'email')).toHaveLength(5);
    expect(existsSync(join(run.directory, 'receipts.sqlite'))).toBe(false);
  });

  it('guesses nothing without a reconciler', async () => {
    const run = await runDemo(['--no-reconcile', '--input', inputFile(TEXT)]);
    expect(run.stdout).toMatch(/send_email team@example\.com +\? ambiguous/);
    expect(run.stdout).toContain('waits for a person');
    expect(run.code).toBe(0);
    expect(arrivals(run.directory, 'email')).toHaveLength(1);
  });

  it('runs on whatever speaks the API at OPENAI_BASE_URL', async () => {
    const server = await startModelServer({ paceMs: 0, halfway: () => undefined });
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: 'another-model' };
    const run = await runDemo(['--model', 'openai', '--input', inputFile(TEXT)], env);
    await server.close();
    expect(run.stdout).toContain('real model');
    expect(run.stdout).toContain('The proof holds');
    expect(run.code).toBe(0);
    expect(server.asked.get('send_email')).toBeGreaterThan(3);
  });

  it('says so and fails when the run cannot be finished', async () => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    const run = await runDemo(['--model', 'openai', '--input', inputFile(TEXT)], env);
    expect(run.stdout).toContain('The run broke off: Connection error');
    expect(run.code).toBe(1);
  });

  it.each([
    ['a missing file', () => ['--input', '/nowhere/notes.md'], 'there is no such file'],
    ['a binary file', () => ['--input', inputFile(Uint8Array.of(1, 0, 2), 'a.bin')], 'it is not text'],
    ['an unknown option', () => ['--fast'], "Unknown option '--fast'. Try --help."],
    ['a real model without a key', () => ['--model', 'openai'], 'needs the environment variable OPENAI_API_KEY'],
  ])('refuses %s before anything runs', async (_, args, message) => {
    const run = await runDemo(args());
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(run.directory)).toBe(false);
  });

  it('refuses a directory that holds something, and leaves it alone', async () => {
    const used = join(inputFile('x'), '..', 'used');
    mkdirSync(used);
    writeFileSync(join(used, 'mine.txt'), 'mine');
    const run = await runDemo(['--dir', used, '--input', inputFile('x')]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('it is not empty');
    expect(readdirSync(used)).toEqual(['mine.txt']);
  });

  it.runIf(process.platform === 'linux')('refuses a directory that cannot be made', async () => {
    const run = await runDemo(['--dir', '/proc/holdfast', '--input', inputFile('x')]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('Cannot write below /proc/holdfast');
  });

  it('explains itself', async () => {
    const run = await runDemo(['--help']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('Usage: npm run demo --');
  });
});
