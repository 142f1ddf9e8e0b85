import { toolDiscoveryHint } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { thrownBy } from './support.js';

describe('toolDiscoveryHint', () => {
  it.each([
    ['Reads e.g. a file.\nSecond line', 'Reads e.g. a file.'],
    ['Reads a file. Then more.', 'Reads a file.'],
    ['Reads version 3.5 of it. More', 'Reads version 3.5 of it.'],
    ['Sends it (see docs.) Now', 'Sends it (see docs.)'],
    ['Reads a file,\nwrapped here. More', 'Reads a file, wrapped here.'],
    ['Lists issues\n\nArgs:\n  repo: a name', 'Lists issues'],
    ['Lists issues:\n- open\n- closed', 'Lists issues:'],
    ['读取文件。然后', '读取文件。'],
    ['No end', 'No end'],
    ['  \n Leading. x', 'Leading.'],
    ['Really?! Yes.', 'Really?!'],
    ['a\u0000b\u2028c\td', 'a b c d'],
    ['', ''],
    [' \n\t ', ''],
  ])('%j gives %j', (description, hint) => {
    expect(toolDiscoveryHint(description)).toBe(hint);
  });

  it('is at most 100 characters and halves none', () => {
    const hint = toolDiscoveryHint(`${'a'.repeat(98)}🦊 and more`);
    expect(hint).toBe(`${'a'.repeat(98)}…`);
    expect(toolDiscoveryHint(`${'a'.repeat(99)}🦊 and more`)).toBe(`${'a'.repeat(99)}…`);
    expect(toolDiscoveryHint('a'.repeat(100))).toBe('a'.repeat(100));
  });

  it('cuts between words where it can', () => {
    expect(toolDiscoveryHint('one two three four', 12)).toBe('one two…');
    expect(toolDiscoveryHint('🦊🦊🦊', 4)).toBe('🦊…');
    expect(toolDiscoveryHint('abc', 1)).toBe('…');
  });

  it('refuses a limit that is none', () => {
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(thrownBy(() => toolDiscoveryHint('abc', limit))['code']).toBe('ERR_HOLDFAST_TOOL_REGISTRY_OPTION');
    }
  });

  it('reads only the beginning of an endless text', () => {
    expect(toolDiscoveryHint('x '.repeat(5_000_000)).length).toBeLessThanOrEqual(100);
  });
});
