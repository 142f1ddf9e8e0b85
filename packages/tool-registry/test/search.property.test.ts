/** Search against a brute-force reading of its rule: everything is counted again, for every tool and every word. */

import { ToolRegistry } from '@holdfast/tool-registry';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { names, tool } from './support.js';

const word = fc.constantFrom('mail', 'send', 'read', 'box', 'the', 'of', 'invoice', 'unread', 'x');
const words = (min: number, max: number) => fc.array(word, { minLength: min, maxLength: max });
const subject = fc.record({ name: words(1, 3), description: words(0, 5), arguments: words(0, 3) });
const catalogue = fc.uniqueArray(subject, { maxLength: 8, selector: ({ name }) => name.join('_') });
type Subject = { readonly name: string[]; readonly description: string[]; readonly arguments: string[] };

const STOPPED = ['the', 'of', 'x'];

/** The rule of the README, one tool and one word at a time. */
function oracle(query: string[], subjects: readonly Subject[]): string[] {
  const terms = [...new Set(query)].filter((term) => !STOPPED.includes(term));
  const scoreOf = (term: string, { name, description, arguments: args }: Subject) => {
    const inName = name.includes(term) ? 12 : name.join('').includes(term) ? 8 : 0;
    const inDescription = description.includes(term) ? 5 : 0;
    const inArguments = args.includes(term) ? 3 : 0;
    return (
      inName / (1 + new Set(name).size / 10) +
      inDescription / (1 + new Set(description).size / 50) +
      inArguments / (1 + new Set(args).size / 50)
    );
  };
  const weightOf = (term: string) => {
    const holding = subjects.filter((one) => scoreOf(term, one) > 0).length;
    return Math.log(1 + (subjects.length + 1) / (holding + 1));
  };
  const rate = (one: Subject) => {
    if (one.name.join('_') === query.join('_')) return Number.POSITIVE_INFINITY;
    const exact = one.name.join('') === query.join('') ? 1e9 : 0;
    let sum = 0;
    let found = 0;
    let total = 0;
    for (const term of terms) {
      const weight = weightOf(term);
      sum += scoreOf(term, one) * weight;
      total += weight;
      if (scoreOf(term, one) > 0) found += weight;
    }
    return exact + (total === 0 ? 0 : sum * (0.4 + (0.6 * found) / total));
  };
  return subjects
    .map((one) => ({ name: one.name.join('_'), score: rate(one) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => (a.score === b.score ? (a.name < b.name ? -1 : 1) : b.score - a.score))
    .map(({ name }) => name);
}

function registryOf(subjects: readonly Subject[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const { name, description, arguments: args } of subjects) {
    const properties = Object.fromEntries(args.map((argument) => [argument, {}]));
    const modelInputSchema = { type: 'object', properties };
    registry.register(tool(name.join('_'), { description: description.join(' '), modelInputSchema }), 'deferred');
  }
  return registry;
}

const settings = { seed: 7, numRuns: 1_000 };

describe('search', () => {
  it('orders as the brute-force rule does', () => {
    fc.assert(
      fc.property(catalogue, words(1, 4), (subjects, query) => {
        expect(names(registryOf(subjects).searchDeferred(query.join('_')))).toEqual(oracle(query, subjects));
      }),
      settings,
    );
  });

  it('does not depend on the order of registration, nor on being asked before', () => {
    fc.assert(
      fc.property(catalogue, words(1, 4), (subjects, query) => {
        const registry = registryOf(subjects);
        const first = names(registry.searchDeferred(query.join(' ')));
        expect(names(registry.searchDeferred(query.join(' ')))).toEqual(first);
        expect(names(registryOf([...subjects].reverse()).searchDeferred(query.join(' ')))).toEqual(first);
      }),
      settings,
    );
  });

  it('finds every tool first by its own name', () => {
    fc.assert(
      fc.property(catalogue, (subjects) => {
        const registry = registryOf(subjects);
        for (const name of registry.listNames()) expect(registry.searchDeferred(name)[0]?.name).toBe(name);
      }),
      settings,
    );
  });

  it('takes any text and gives each tool at most once', () => {
    const registry = registryOf([{ name: ['send', 'mail'], description: ['read'], arguments: ['box'] }]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (query) => {
        expect(registry.searchDeferred(query).length).toBeLessThanOrEqual(1);
      }),
      settings,
    );
  });
});
