import { describe, expect, it } from 'vitest';
import { helpText, parseOptions } from '../src/options.js';

describe('parseOptions', () => {
  it('has defaults for everything', () => {
    expect(parseOptions([])).toEqual({
      kind: 'run',
      options: { input: undefined, without: false, model: 'scripted', directory: undefined, reconcile: true },
    });
  });

  it('reads every option', () => {
    expect(parseOptions(['--input', 'a.md', '--no-reconcile', '--model', 'openai', '--dir', 'out'])).toEqual({
      kind: 'run',
      options: { input: 'a.md', without: false, model: 'openai', directory: 'out', reconcile: false },
    });
    expect(parseOptions(['--without'])).toMatchObject({ options: { without: true } });
  });

  it.each([['--help'], ['-h'], ['--help', '--without']])('answers %s with help', (...argv) => {
    expect(parseOptions(argv)).toEqual({ kind: 'help' });
  });

  it.each([
    [['--nope'], /'--nope'/],
    [['README.md'], /'README.md'/],
    [['--input'], /--input/],
    [['--input='], /--input needs a value/],
    [['--dir', ''], /--dir needs a value/],
    [['--model', 'claude'], /"scripted" or "openai", not "claude"/],
    [['--without=yes'], /--without/],
    [['--without', '--no-reconcile'], /--no-reconcile has no meaning/],
  ])('refuses %j in words', (argv, message) => {
    expect(parseOptions(argv)).toEqual({ kind: 'error', message: expect.stringMatching(message) });
  });

  it('names every option in the help', () => {
    for (const option of ['--input', '--without', '--no-reconcile', '--model', '--dir', '--help']) {
      expect(helpText).toContain(option);
    }
  });
});
