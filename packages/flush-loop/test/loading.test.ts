/** How the built package loads: nothing at first, then the host's own copy of LangChain, or a clear error. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const home = fileURLToPath(new URL('..', import.meta.url));
const calling = `{ content: '', tool_calls: [{ name: 'memory_append', args: {}, id: 'a' }] }`;
const flush = `runFlushLoop({ model: { invoke: async (all) => (all.length ? { content: 'ok' } : ${calling}) }, tools: [], initialMessages: [] })`;

async function runNode(code: string, type: 'module' | 'commonjs', cwd = home): Promise<string> {
  // Launchers of pnpm set NODE_PATH, and CommonJS would find LangChain from anywhere.
  const env = { ...process.env, NODE_PATH: '' };
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${type}`, '-e', code], { cwd, env });
  return stdout.trim();
}

describe('the built package', () => {
  it.each(['index.js', 'index.cjs'])('%s imports nothing at load time', async (file) => {
    const text = await readFile(join(home, 'dist', file), 'utf8');
    expect(text).not.toMatch(/^\s*import\s|^\s*export .* from|["']node:/m);
    const loads = [...text.matchAll(/\b(?:require|import)\(\s*["']([^"']+)/g)].map((match) => match[1]);
    expect(loads).toEqual(['@langchain/core/messages']);
  });

  it('loads LangChain as CommonJS in CommonJS, so that host and package share its classes', async () => {
    const code = `
      const { runFlushLoop } = require('@holdfast/flush-loop');
      const early = Object.keys(require.cache).some((name) => name.includes('langchain'));
      ${flush}.then(({ messages }) => {
        const { ToolMessage } = require('@langchain/core/messages');
        console.log(early, messages[1].constructor === ToolMessage);
      });`;
    expect(await runNode(code, 'commonjs')).toBe('false true');
  });

  it('shares the classes of an ESM host too', async () => {
    const code = `
      import { runFlushLoop } from '@holdfast/flush-loop';
      import { ToolMessage } from '@langchain/core/messages';
      const { messages } = await ${flush};
      console.log(messages[1].constructor === ToolMessage);`;
    expect(await runNode(code, 'module')).toBe('true');
  });

  it('says what to install where LangChain is missing, and works there with classes of the host', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-flush-loop-'));
    try {
      await mkdir(join(folder, 'dist'));
      await cp(join(home, 'dist'), join(folder, 'dist'), { recursive: true });
      const esm = `
        const { runFlushLoop, HoldfastError } = await import('./dist/index.js');
        const error = await ${flush}.catch((caught) => caught);
        class Note { constructor(fields) { Object.assign(this, fields); } }
        const messageClasses = { ToolMessage: Note, HumanMessage: Note };
        const result = await ${flush.replace('tools: []', 'messageClasses, tools: []')};
        console.log(error.code, HoldfastError.isInstance(error), error.message.includes('npm install @langchain/core'), result.stopReason);`;
      const cjs = `
        const { runFlushLoop } = require('./dist/index.cjs');
        ${flush}.catch((error) => console.log(error.code));`;
      expect(await runNode(esm, 'module', folder)).toBe('ERR_HOLDFAST_LANGCHAIN_MISSING true true completed');
      expect(await runNode(cjs, 'commonjs', folder)).toBe('ERR_HOLDFAST_LANGCHAIN_MISSING');
      const again = `
        const { mkdirSync, writeFileSync } = require('node:fs');
        const { runFlushLoop } = require('./dist/index.cjs');
        ${flush}.catch(() => {
          mkdirSync('node_modules/@langchain/core/messages', { recursive: true });
          writeFileSync('node_modules/@langchain/core/messages/index.js', 'exports.ToolMessage = class {}; exports.HumanMessage = class {};');
          return ${flush};
        }).then(({ stopReason }) => console.log(stopReason));`;
      expect(await runNode(again, 'commonjs', folder)).toBe('completed');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
