import { ToolRegistry } from '@holdfast/tool-registry';
import { expect, it } from 'vitest';
import { registerCatalogue } from '../src/catalogue.js';
import { screenOn } from '../src/screen.js';
import { searchLines } from '../src/search-lines.js';

function registryOf(...names: string[]): ToolRegistry {
  const registry = new ToolRegistry();
  const inputSchema = { type: 'object', properties: { severity: { type: 'string' } } };
  registerCatalogue(
    registry,
    names.map((name) => ({ name, server: 'board', description: `For the board: ${name}.`, inputSchema })),
  );
  return registry;
}

it('tells the words that were found, as what, and where', () => {
  const [first, hint, why, price] = searchLines(registryOf('create_issue'), 'opening tickets severity', 5);
  expect(first).toBe('  1. board__create_issue');
  expect(hint).toBe('     For the board: create_issue.');
  expect(why).toMatch(/why: 100 % of the query: opening as create \(synonym\) in name, description; tickets as issue/);
  expect(why).toMatch(/; severity in argument names$/);
  expect(price).toMatch(/wire: 1 now, (\d+) with this one loaded, \1 with all tools/);
});

it('shows as many as asked, names five more, and loads none', () => {
  const registry = registryOf('issue_a', 'issue_b', 'issue_c', 'issue_d', 'issue_e', 'issue_f', 'issue_g', 'issue_h');
  const lines = searchLines(registry, 'issue', 2);
  expect(lines.filter((line) => /^ +\d\. /.test(line))).toHaveLength(2);
  const near = lines.find((line) => line.startsWith('  near misses: '));
  expect(near?.split(', ')).toHaveLength(5);
  expect(registry.toLLMTools()).toEqual([]);
  registry.activate(['board__issue_a']);
  expect(searchLines(registry, 'issue_a', 1)[0]).toBe('  1. board__issue_a · loaded');
});

it('says which names of a selection nobody has', () => {
  const registry = registryOf('issue_a', 'issue_b');
  expect(searchLines(registry, 'select:issue_a,nope,no', 5)).toEqual(['No tool is named nope, no.']);
  expect(searchLines(registry, 'select:issue_b', 5)[0]).toBe('  1. board__issue_b');
});

it('says when nothing matches', () => {
  expect(searchLines(registryOf('create_issue'), 'xyzzy', 5)).toEqual([
    'No tool matches. Other words for it may find one.',
  ]);
});

it('lets no text steer the terminal', () => {
  let written = '';
  const screen = screenOn({ write: (text) => (written += text) });
  screen('a\u001b[2Jb\u009bc\rd\u202ee', 'tab\tand\r\nnewline');
  expect(written).toBe('a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ntab\tand\nnewline\n');
});
