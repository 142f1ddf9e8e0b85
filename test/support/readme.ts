/** Runs the code of a README: each ```ts block is a program of its own, `ts continue` goes on with the one before. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

export interface ReadmeBlock {
  /** The heading above the block and the line on which it starts. */
  readonly title: string;
  readonly code: string;
  /** The folder of the README: names resolve as they would for a file there. */
  readonly folder: string;
}

/** What a package may keep of its documentation beside the README. */
const FURTHER_DOCUMENTS = ['GUIDE.md', 'SEARCH.md'];

/** Reads the blocks of `../README.md`, seen from a test file, and of the documents beside it. Throws when there are none. */
export function readmeBlocks(testFileUrl: string): ReadmeBlock[] {
  const folder = dirname(dirname(fileURLToPath(testFileUrl)));
  const further = FURTHER_DOCUMENTS.filter((name) => existsSync(join(folder, name)));
  const blocks = ['README.md', ...further].flatMap((name) =>
    extractBlocks(readFileSync(join(folder, name), 'utf8'), folder),
  );
  if (blocks.length === 0) throw new Error(`${join(folder, 'README.md')} has no \`\`\`ts block to run`);
  return blocks;
}

/** Runs one block in a Node process of its own; rejects with its output when it fails. */
export async function runReadmeBlock(block: ReadmeBlock): Promise<void> {
  const { code } = await transform(block.code, { loader: 'ts', format: 'esm', target: 'es2022' });
  const { exitCode, output } = await runModule(code, block.folder);
  if (exitCode !== 0) throw new Error(`README block "${block.title}" failed:\n${output}`);
}

function extractBlocks(markdown: string, folder: string): ReadmeBlock[] {
  const blocks: { title: string; code: string; folder: string }[] = [];
  let heading = 'README';
  let open: { readonly continues: boolean; readonly line: number; readonly lines: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open && line.trim() === '```') {
      const previous = blocks.at(-1);
      if (open.continues && previous) previous.code += `\n${open.lines.join('\n')}`;
      else blocks.push({ title: `${heading}, line ${open.line}`, code: open.lines.join('\n'), folder });
      open = undefined;
    } else if (open) {
      open.lines.push(line);
    } else if (/^```ts( continue)?\s*$/.test(line)) {
      open = { continues: line.includes('continue'), line: index + 2, lines: [] };
    } else if (line.startsWith('#')) {
      heading = line.replace(/^#+\s*/, '');
    }
  }
  return blocks;
}

/** What the program leaves in its temporary folder goes with it. */
function runModule(code: string, folder: string): Promise<{ exitCode: number | null; output: string }> {
  const TMPDIR = mkdtempSync(join(tmpdir(), 'holdfast-readme-'));
  const env = { ...process.env, TMPDIR };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module'], { cwd: folder, env, stdio: 'pipe' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      rmSync(TMPDIR, { recursive: true, force: true });
      resolve({ exitCode, output });
    });
    child.stdin.end(code);
  });
}
