import { createReadOutputTool, type ReadOutputToolOptions, ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

function reader(output: string, options: ReadOutputToolOptions = {}) {
  const registry = new ToolOutputReferenceRegistry({ maxOutputSize: 5_000_000 });
  registry.set('r', 'tool0turn0', output);
  const tool = createReadOutputTool(registry, { runId: 'r', ...options });
  return (input: object = {}) => tool.execute({ key: 'tool0turn0', ...input });
}

/** The first line of an answer and the rest. */
function split(answer: string): [head: string, body: string] {
  const end = answer.indexOf('\n');
  return end === -1 ? [answer, ''] : [answer.slice(0, end), answer.slice(end + 1)];
}

/** Follows an answer's own words until it says that this was all. */
function readAll(read: (input?: object) => string, input: object = {}): string[] {
  const bodies: string[] = [];
  for (let next: object | undefined = input; next; ) {
    const [head, body] = split(read(next));
    bodies.push(body);
    const more = /next page: .*character (\d+)/.exec(head);
    next = more ? { ...input, line: undefined, character: Number(more[1]) } : undefined;
    expect(bodies.length).toBeLessThan(10_000);
  }
  return bodies;
}

const log = Array.from(
  { length: 1_000 },
  (_, index) => `line ${index + 1} ${index % 100 === 41 ? 'ERROR: disk' : 'ok'}`,
);

describe('reading on', () => {
  it('says where a page stands, and what is left', () => {
    const read = reader(log.join('\n'), { pageSize: 500 });
    const [head, body] = split(read());
    expect(head).toBe(
      `[tool0turn0: lines 1 to 45 of 1000, characters 0 to ${body.length} of ${log.join('\n').length}; ${
        log.join('\n').length - body.length
      } characters left; next page: character ${body.length}]`,
    );
    expect(body).toBe(`${log.slice(0, 45).join('\n')}\n`);
    expect(split(read({ line: 990 }))).toEqual([
      expect.stringMatching(
        /^\[tool0turn0: lines 990 to 1000 of 1000, characters \d+ to 11982 of 11982; this is the end\]$/,
      ),
      log.slice(989).join('\n'),
    ]);
    expect(split(read({ character: 11_979 }))[1]).toBe(' ok');
  });

  it('gives the whole output, page after page, with every character once', () => {
    const texts = fc.array(fc.constantFrom('a', '\n', '\r\n', '😀', 'word ', 'x'.repeat(400), '\uD83D', '\uDE00'), {
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(texts, (pieces) => {
        const output = pieces.join('');
        fc.pre(output !== '');
        const pages = readAll(reader(output, { pageSize: 500 }));
        expect(pages.join('')).toBe(output);
        for (const [at, page] of pages.entries()) {
          expect(page.length).toBeLessThanOrEqual(500);
          const seam = page.slice(-1) + (pages[at + 1]?.[0] ?? '');
          expect(seam).not.toMatch(/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('ends and begins at a whole character', () => {
    const pages = readAll(reader(`a${'😀'.repeat(1_000)}`, { pageSize: 500 }));
    expect(pages.map((page) => page.length)).toEqual([499, 500, 500, 500, 2]);
    expect(split(reader('ab😀cd')({ character: 3 }))[1]).toBe('😀cd');
  });

  it('ends a page with a whole line unless that costs half of it', () => {
    const read = reader(`${'a'.repeat(300)}\n${'b'.repeat(1_000)}`, { pageSize: 500 });
    expect(split(read())[1]).toBe(`${'a'.repeat(300)}\n`);
    expect(split(read({ character: 290 }))[1]).toHaveLength(500);
  });

  it('knows lines with and without a last line break, and none', () => {
    expect(split(reader('a\nb\n')())[0]).toContain('lines 1 to 2 of 2,');
    expect(split(reader('a\nb')())[0]).toContain('lines 1 to 2 of 2,');
    expect(reader('')()).toBe('[tool0turn0: the result is empty]');
    expect(split(reader('a\n\nb')({ line: 2 }))).toEqual([expect.stringContaining('lines 2 to 3 of 3'), '\nb']);
  });
});

describe('looking for a pattern', () => {
  it('lists the lines that match, in any case, and how many there are', () => {
    const read = reader(log.join('\n'));
    const [head, body] = split(read({ pattern: 'error' }));
    expect(head).toBe('[tool0turn0: 10 places match "error"]');
    expect(body.split('\n').slice(0, 2)).toEqual(['line 42: line 42 ERROR: disk', 'line 142: line 142 ERROR: disk']);
    expect(split(read({ pattern: 'error', line: 900 }))[0]).toMatch(
      /^\[tool0turn0: 1 place matches "error" from character \d+ on\]$/,
    );
    expect(read({ pattern: 'absent' })).toBe('[tool0turn0: 0 places match "absent"]\n');
  });

  it('goes on where it stopped', () => {
    const pages = readAll(reader(log.join('\n'), { pageSize: 500 }), { pattern: 'line*ok' });
    expect(pages.length).toBeGreaterThan(20);
    const expected = log.flatMap((line, index) => (line.endsWith('ok') ? [`line ${index + 1}: ${line}\n`] : []));
    expect(pages.join('')).toBe(expected.join(''));
  });

  it('shows parts of a long line, each once, and where they stand', () => {
    const json = JSON.stringify(
      Array.from({ length: 500 }, (_, id) => ({ id, name: `person ${id}`, note: '😀'.repeat(20) })),
    );
    const pages = readAll(reader(json, { pageSize: 2_000 }), { pattern: '"id":4*person 4' });
    const places = [...pages.join('').matchAll(/^line 1, characters (\d+) to (\d+): (.*)$/gm)];
    expect(places.length).toBeGreaterThan(20);
    for (const [, start, end, shown] of places) {
      expect(shown).toBe(json.slice(Number(start), Number(end)));
      expect(() => encodeURIComponent(shown ?? '')).not.toThrow();
    }
    const onOnePage = [
      ...reader(json, { pageSize: 100_000 })({ pattern: '"id"' }).matchAll(/characters (\d+) to (\d+):/g),
    ];
    expect(onOnePage.length).toBeGreaterThan(100);
    expect(onOnePage.every(([, start], at) => at === 0 || Number(start) >= Number(onOnePage[at - 1]?.[2]))).toBe(true);
    for (const id of [4, 40, 49, 400, 499]) expect(pages.join('')).toContain(`{"id":${id},`);
  });

  it.each([
    ['a*b', 'xa1b\na\nb', 1],
    ['a*b', 'b a', 0],
    ['**a**', 'A', 1],
    ['a\\*b', 'a*b\naxb', 1],
    ['a\\\\b', 'a\\b', 1],
    ['\\n', 'a\\nb\nc', 1],
    ['.+', 'abc\n.+', 1],
    ['İx', 'İX\nix', 2],
    ['δοσ', 'ΟΔΟΣ', 1],
    ['ab*ab', 'ab', 0],
  ])('takes %j in %j as it is meant', (pattern, text, count) => {
    expect(reader(text)({ pattern })).toContain(`[tool0turn0: ${count} place`);
  });

  it('finds what a regular expression finds', () => {
    const piece = fc.constantFrom('a', 'b', 'A', '\n', 'ab', '.', '(', '\\', ' ');
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    const patterns = fc.array(fc.constantFrom('a', 'b', '*', '.', '(', ' '), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, patterns, (text, pieces) => {
        const pattern = pieces.join('');
        fc.pre(text !== '' && /[^*]/.test(pattern));
        const parts = pattern.split('*').map((part) => part.replace(/[.(\\]/g, '\\$&'));
        const expression = new RegExp(parts.join('.*'), 'i');
        const lines = text
          .split('\n')
          .flatMap((line, at) => (expression.test(line) ? [`line ${at + 1}: ${line}\n`] : []));
        expect(split(reader(text)({ pattern }))[1]).toBe(lines.join(''));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a*z', `${'a'.repeat(100_000)}`],
    ['a*z', `${'a'.repeat(50_000)}z`],
    ['a*a*a*z', 'a '.repeat(50_000)],
    ['a*z', 'a\n'.repeat(50_000)],
    ['a*z', `${'a\n'.repeat(50_000)}z`],
    ['aaaaaaaaab*aaaaaaaaab', 'a'.repeat(100_000)],
  ])('looks at no place twice: %s', (pattern, text) => {
    const read = reader(text);
    const search = vi.spyOn(String.prototype, 'indexOf');
    try {
      read({ pattern });
      let looked = 0;
      for (const [at, call] of search.mock.calls.entries()) {
        const found = search.mock.results[at]?.value as number;
        looked += (found === -1 ? text.length : found) - (call[1] ?? 0);
      }
      // Each part once over the text, and the line breaks three times.
      expect(looked).toBeLessThanOrEqual(8 * text.length);
    } finally {
      search.mockRestore();
    }
  });
});

describe('a call', () => {
  it('reads the run that it names, or the tool’s own', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', 'tool0turn0', 'of r');
    registry.set('s', 'tool0turn0', 'of s');
    registry.set(undefined, 'tool0turn0', 'of none');
    const tool = createReadOutputTool(registry);
    const read = (context?: { runId?: string }) => split(tool.execute({ key: 'tool0turn0' }, context))[1];
    expect([read({ runId: 'r' }), read({ runId: 's' }), read()]).toEqual(['of r', 'of s', 'of none']);
    const own = createReadOutputTool(registry, { runId: 'r' });
    expect(split(own.execute({ key: 'tool0turn0' }, {}))[1]).toBe('of r');
    expect(split(own.execute({ key: 'tool0turn0' }, { runId: 's' }))[1]).toBe('of s');
  });

  it.each([
    [undefined, 'the input must be an object with a key, not undefined'],
    ['tool0turn0', 'the input must be an object'],
    [{}, 'the key is missing'],
    [Object.create({ key: 'tool0turn0' }), 'the key is missing'],
    [{ key: 'tool9turn9' }, 'nothing is stored under "tool9turn9"'],
    [{ key: '{{tool0turn0}}' }, 'without braces'],
    [{ key: 'x'.repeat(100_000) }, 'nothing is stored under a string of 100000 characters'],
    [{ key: 'tool0turn0', line: 0 }, 'line must be a whole number from 1, not 0'],
    [{ key: 'tool0turn0', line: '3' }, 'line must be'],
    [{ key: 'tool0turn0', line: 4 }, 'there are only 3 lines'],
    [{ key: 'tool0turn0', character: -1 }, 'character must be'],
    [{ key: 'tool0turn0', character: 1.5 }, 'character must be'],
    [{ key: 'tool0turn0', character: 5 }, 'there are only 5 characters'],
    [{ key: 'tool0turn0', line: 1, character: 1 }, 'not both'],
    [{ key: 'tool0turn0', pattern: '' }, 'pattern must be'],
    [{ key: 'tool0turn0', pattern: '**' }, 'pattern must be'],
    [{ key: 'tool0turn0', pattern: 'x'.repeat(201) }, 'pattern must be'],
    [{ key: 'tool0turn0', pattern: 7 }, 'pattern must be'],
  ])('that is wrong is told why: %j', (input, because) => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', 'tool0turn0', 'a\nb\nc');
    const answer = createReadOutputTool(registry, { runId: 'r' }).execute(input);
    expect(answer).toContain(because);
    expect(answer.length).toBeLessThan(300);
  });

  it('may leave fields out as null', () => {
    expect(split(reader('a\nb')({ line: 2, character: null, pattern: null }))[1]).toBe('b');
  });

  it('of a wrong page size is refused', () => {
    const registry = new ToolOutputReferenceRegistry();
    for (const pageSize of [499, 100_001, 1_000.5, Number.NaN, '8000' as unknown as number]) {
      expect(() => createReadOutputTool(registry, { pageSize })).toThrow(
        expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', argument: 'pageSize' }),
      );
    }
  });

  it('finds a tool that describes itself', () => {
    const tool = createReadOutputTool(new ToolOutputReferenceRegistry(), { name: 'more' });
    expect(tool).toMatchObject({ name: 'more', inputSchema: { type: 'object', required: ['key'] } });
    expect(Object.keys(tool.inputSchema.properties)).toEqual(['key', 'line', 'character', 'pattern']);
    expect(JSON.parse(JSON.stringify(tool.inputSchema))).toEqual(tool.inputSchema);
    expect(createReadOutputTool(new ToolOutputReferenceRegistry()).name).toBe('read_output');
  });
});
