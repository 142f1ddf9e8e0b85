import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { replyTo } from '../src/scripted-replies.js';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

it('shows all four scenarios and proves them', async () => {
  const { stdout } = await run(process.execPath, [main]);
  expect(stdout.match(/^✓ .*/gm)).toHaveLength(4);
  expect(stdout).not.toContain('✗');
  expect(stdout).toContain('failed · 0 notes written · None of 3 notes was written');
  expect(stdout.match(/I am allergic to peanuts\./g)).toHaveLength(3);
  expect(stdout.match(/I do not know\./g)).toHaveLength(3);
});

it('says how it is used', async () => {
  expect((await run(process.execPath, [main, '--help'])).stdout).toContain('Usage:');
  const { OPENAI_API_KEY: _, ...env } = process.env;
  await expect(run(process.execPath, [main, '--model', 'openai'], { env })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('OPENAI_API_KEY'),
  });
});

it('the local model knows only what it is shown', () => {
  const ask = (content: string) => ({ role: 'user', content });
  const question = ask('What am I allergic to?');
  expect(replyTo({ messages: [question] }).content).toBe('I do not know.');
  expect(replyTo({ messages: [ask('Remember: I am allergic to nuts.'), question] }).content).toBe(
    'I am allergic to nuts.',
  );
});
