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
      packages: 'external',
    });
    const loaded = Object.values(metafile.inputs).flatMap((input) =>
      input.imports.filter(({ kind, external }) => external && kind !== 'dynamic-import').map(({ path }) => path),
    );
    // The flush loop asks for its peer when it makes its first message. In CommonJS that is a require like any other;
    // that it does not run while the package loads is tested there.
    const late = folder === 'flush-loop' && file === 'index.cjs' ? ['@langchain/core/messages'] : [];
    expect(loaded).toEqual(late);
  });
  it('names no platform type in its declarations', () => {
    const declarations = readFileSync(join(root, 'packages', folder, 'dist', 'index.d.ts'), 'utf8');
    expect(declarations).not.toMatch(/\bfrom ['"]node:|reference (types|lib)=|\b(Buffer|NodeJS|Window|Document)\b/);
  });
});

describe('errors', () => {
  const errors = published.flatMap((folder) => errorClasses(join(root, 'packages', folder, 'src')));

  it('are found', () => {
    expect(errors.length).toBeGreaterThanOrEqual(15);
  });
  it.each(errors)('$className has its own name and a code of the family', ({ className, body }) => {
    expect(body).toContain(`override readonly name = '${className}';`);
    expect(body).toMatch(/readonly code = 'ERR_HOLDFAST_[A-Z_]+';/);
  });
  it('have codes that name one class each', () => {
    const codes = errors.map(({ body }) => /'(ERR_HOLDFAST_[A-Z_]+)'/.exec(body)?.[1]);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

/** Every error class of a package's sources, with the text from its head to the end of the file. */
function errorClasses(folder: string): { className: string; body: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/class (\w+) extends HoldfastError\b/g)].map((match) => ({
      className: match[1] as string,
      body: text.slice(match.index, text.indexOf('\n}', match.index)),
    }));
  });
}

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}
