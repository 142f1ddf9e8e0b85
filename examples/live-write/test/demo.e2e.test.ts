import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { PLACES, randomFrom } from '../src/cut-plan.js';
import { liveWrite } from '../src/live-write.js';
import { startModelServer } from '../src/model-server.js';
import { contentOf } from '../src/proof.js';
import { argumentsText, STORY } from '../src/story.js';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('the demo', () => {
  it('shows the text, breaks, goes on, and proves it', async () => {
    const { stdout } = await run(process.execPath, [main, '--seed', '3', '--place', 'escape', '--fast']);
    expect(stdout).toContain('seed 3');
    expect(stdout).not.toContain('✗');
    expect(stdout.match(/^✓ /gm)).toHaveLength(7);
    expect(stdout).toMatch(/truncated after \d+ characters of arguments, inside "content"/);
    const [before, after] = stdout.split(/\n\n── .*characters in the file\n\n/);
    expect(before?.replace('seed 3\n\n', '') + (after?.split('\n\n── complete')[0] ?? '')).toBe(STORY);
  });

  it('says how it is used', async () => {
    expect((await run(process.execPath, [main, '--help'])).stdout).toContain('Usage:');
    const { OPENAI_API_KEY: _, ...env } = process.env;
    for (const wrong of [
      ['--model', 'openai'],
      ['--seed', 'x'],
      ['--place', 'x'],
      ['--model', 'x'],
    ]) {
      await expect(run(process.execPath, [main, ...wrong], { env })).rejects.toMatchObject({ code: 2 });
    }
  });

  it.each(PLACES)('holds for cuts of 6 seeds: %s', async (place) => {
    for (let seed = 0; seed < 6; seed += 1) {
      const directory = await mkdtemp(join(tmpdir(), 'live-write-'));
      const server = await startModelServer({ random: randomFrom(seed), place, pause: 0 });
      try {
        const client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
        const quiet = { show: () => undefined, say: () => undefined };
        const { arrived, claims } = await liveWrite({ client, model: 'local', directory, task: 'Write.', ...quiet });
        expect({ seed, claims: claims.filter(({ holds }) => !holds) }).toEqual({ seed, claims: [] });
        expect(arrived).toBe(server.sentArguments);
        expect(arrived.length).toBeLessThan(argumentsText('story.md', STORY).length);
        expect(await readFile(join(directory, 'story.md'), 'utf8')).toBe(STORY);
      } finally {
        await server.close();
        await rm(directory, { recursive: true });
      }
    }
  });
});

describe('the proof', () => {
  it('knows what has arrived, whatever the cut', () => {
    const text = argumentsText('story.md', STORY);
    let longest = '';
    for (let end = 0; end <= text.length; end += 1) {
      const content = contentOf(text.slice(0, end));
      expect(STORY.startsWith(content) && content.length >= longest.length).toBe(true);
      longest = content;
    }
    expect(longest).toBe(STORY);
    expect(contentOf('{"path":"a","content":"x\\ud83d\\u')).toBe('x');
    expect(contentOf('{"path":"a","cont')).toBe('');
  });
});
