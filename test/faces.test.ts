/** What crosses the packages' doors: names, errors, imports. Read from the built packages. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const core = ['tool-refs', 'receipts', 'stream-buffer', 'tool-registry', 'flush-loop'];
const published = readdirSync(join(root, 'packages')).filter((folder) => !manifestOf(folder).private);

describe.each(core)('%s', (folder) => {
  it('has no runtime dependency', () => {
    expect(manifestOf(folder).dependencies).toBeUndefined();
  });
  it.each(['index.js', 'index.cjs'])('loads nothing but its own files: %s', async (file) => {
    const { metafile } = await build({
      entryPoints: [join(root, 'packages', folder, 'dist', file)],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      external: ['*'],
      packages: 'external',
    });
    const loaded = Object.values(metafile.inputs).flatMap((input) =>
      input.imports.filter(({ kind, external }) => external && kind !== 'dynamic-import').map(({ path }) => path),
    );
    // The flush loop asks for its peer when it makes its first message, never when it is loaded.
    expect(loaded.filter((path) => !(folder === 'flush-loop' && path === '@langchain/core/messages'))).toEqual([]);
  });
  it('names no platform type in its declarations', () => {
    const declarations = readFileSync(join(root, 'packages', folder, 'dist', 'index.d.ts'), 'utf8');
    expect(declarations).not.toMatch(/\bfrom ['"]node:|reference (types|lib)=|\b(Buffer|NodeJS|Window|Document)\b/);
  });
});

describe('errors', () => {
  it('each exported error class has a literal name and a code of its own family', async () => {
    const seen = new Map<string, string>();
    for (const folder of published) {
      const face = await import(manifestOf(folder).name);
      for (const [name, value] of Object.entries(face)) {
        if (typeof value !== 'function' || !(value.prototype instanceof Error) || name === 'HoldfastError') continue;
        const source = readFileSync(join(root, 'packages', folder, 'dist', 'index.js'), 'utf8');
        if (manifestOf(folder).name === 'holdfast') continue;
        expect(Object.getPrototypeOf(value).name, `${name} extends HoldfastError`).toMatch(/HoldfastError/);
        expect(source, `${name} has a literal name`).toContain(`name = "${name}"`);
        seen.set(name, folder);
      }
    }
    expect(seen.size).toBeGreaterThanOrEqual(5);
  });
});

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}
