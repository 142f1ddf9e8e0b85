import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkInput, MAX_INPUT_BYTES } from '../src/input-file.js';
import { temporaryDirectory } from './support/temporary.js';

const directory = temporaryDirectory();

function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe('checkInput', () => {
  it('reads UTF-8 text with its size and hash', () => {
    const text = 'Grüße, 世界 👋\r\n';
    const path = file('good.md', text);
    const bytes = Buffer.from(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(checkInput(path)).toEqual({ ok: true, file: { path, name: 'good.md', bytes: bytes.length, text, sha256 } });
  });

  it('keeps a byte order mark, so that the report can equal the file', () => {
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
    expect(checkInput(file('bom.txt', bytes))).toMatchObject({ ok: true, file: { text: '\ufeffa', bytes: 4 } });
  });

  it('tells the model a name of one line', () => {
    expect(checkInput(file('a\nFile: b.md', 'x'))).toMatchObject({ ok: true, file: { name: 'a File: b.md' } });
  });

  it('takes a file of exactly the limit and refuses one byte more', () => {
    expect(checkInput(file('limit.txt', 'x'.repeat(MAX_INPUT_BYTES)))).toMatchObject({ ok: true });
    const refused = checkInput(file('over.txt', 'x'.repeat(MAX_INPUT_BYTES + 1)));
    expect(refused).toEqual({ ok: false, message: expect.stringContaining('400,001 bytes; the limit is 400,000') });
  });

  it.each([
    ['a missing file', () => join(directory, 'missing.md'), 'no such file'],
    ['a path below a file', () => join(file('plain.txt', 'x'), 'child'), 'no such file'],
    ['a directory', () => directory, 'directory'],
    ['a device', () => '/dev/null', 'not a regular file'],
    ['an empty file', () => file('empty.txt', ''), 'empty'],
    ['a binary file', () => file('image.bin', Uint8Array.of(0x89, 0x50, 0x00, 0x1a)), 'zero byte at offset 2'],
    ['Latin-1', () => file('latin1.txt', Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65)), 'not UTF-8'],
    ['a cut-off character', () => file('cut.txt', Uint8Array.of(0x61, 0xe4, 0xb8)), 'not UTF-8'],
  ])('refuses %s and names the path', (_, path, why) => {
    const given = path();
    const checked = checkInput(given);
    expect(checked).toEqual({ ok: false, message: expect.stringContaining(why) });
    expect(checked).toEqual({ ok: false, message: expect.stringContaining(given) });
  });
});
