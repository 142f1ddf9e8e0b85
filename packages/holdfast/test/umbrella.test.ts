import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as flushLoop from '@holdfast/flush-loop';
import * as receipts from '@holdfast/receipts';
import * as streamBuffer from '@holdfast/stream-buffer';
import * as toolRefs from '@holdfast/tool-refs';
import * as toolRegistry from '@holdfast/tool-registry';
import { build } from 'esbuild';
import * as umbrella from 'holdfast';
import { describe, expect, it } from 'vitest';

const five = { toolRefs, receipts, streamBuffer, toolRegistry, flushLoop };
const source = readFileSync(fileURLToPath(new URL('../src/index.ts', import.meta.url)), 'utf8');

describe('the umbrella', () => {
  it('offers every value of the five, and nothing else', () => {
    const all = new Set(Object.values(five).flatMap((face) => Object.keys(face)));
    expect(new Set(Object.keys(umbrella))).toEqual(all);
  });

  it('offers every type of the five by name', () => {
    for (const folder of ['tool-refs', 'receipts', 'stream-buffer', 'tool-registry', 'flush-loop'])
      for (const name of exportedNames(readFileSync(face(folder), 'utf8')))
        expect(exportedNames(source), `${name} of ${folder}`).toContain(name);
  });

  it('has no name that means two things', () => {
    const owners = new Map<string, string[]>();
    for (const [owner, module] of Object.entries(five))
      for (const name of Object.keys(module)) owners.set(name, [...(owners.get(name) ?? []), owner]);
    expect([...owners].filter(([, list]) => list.length > 1).map(([name]) => name)).toEqual(['HoldfastError']);
    expect(source).not.toContain('export *');
  });

  it('knows the errors of all copies', () => {
    const error = new toolRegistry.ToolNameCollisionError('send', 'in this test');
    expect(umbrella.HoldfastError.isInstance(error)).toBe(true);
    expect(receipts.HoldfastError.isInstance(error)).toBe(true);
  });
});

describe('a bundle of one import', () => {
  it('leaves the other packages out', async () => {
    const bundled = await bundle("export { buildReferenceKey } from 'holdfast';");
    expect(bundled).toContain('function buildReferenceKey');
    for (const foreign of ['ToolRegistry', 'StreamingToolCallBuffer', 'executeOnce', 'runFlushLoop', 'canonicalJson'])
      expect(bundled, foreign).not.toContain(foreign);
    expect(bundled.length).toBeLessThan(2_000);
  });
  it('holds what it asks for', async () => {
    expect(await bundle("export { ToolRegistry } from 'holdfast';")).toContain('ToolRegistry');
  });
});

async function bundle(contents: string): Promise<string> {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    write: false,
    format: 'esm',
    external: ['@langchain/core'],
  });
  return outputFiles.map(({ text }) => text).join('');
}

function face(folder: string): string {
  return fileURLToPath(new URL(`../../${folder}/src/index.ts`, import.meta.url));
}

/** The names inside the export braces of a face. */
function exportedNames(text: string): string[] {
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((entry) => entry.trim().replace(/^type /, ''))
      .filter((entry) => entry !== ''),
  );
}
