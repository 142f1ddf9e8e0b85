/**
 * Search against a brute-force reading of its rule, in which nothing is indexed: every text of every tool is counted
 * again for every word. The words have no synonyms here and are near no other, so that each stands for itself.
 */

import { type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { names, tool } from './support.js';

const WORDS = ['zorb', 'quilt', 'mank', 'vost', 'trelli', 'dwarf', 'list', 'search', 'create'];
const SERVERS = ['acme', 'globex'];
const word = fc.constantFrom(...WORDS);
const words = (min: number, max: number) => fc.array(word, { minLength: min, maxLength: max });
const subject = fc.record({
  name: words(1, 3),
  server: fc.constantFrom('', ...SERVERS),
  title: words(0, 2),
  description: words(0, 5),
  argumentNames: fc.uniqueArray(word, { maxLength: 3 }),
  argumentDescriptions: words(0, 3),
  searchTerms: words(0, 2),
});
type Subject = typeof subject extends fc.Arbitrary<infer T> ? T : never;
const nameOf = (one: Subject) => one.name.join('_');
const catalogue = fc.uniqueArray(subject, { maxLength: 8, selector: nameOf });
const clause = fc.array(fc.constantFrom(...WORDS, ...SERVERS, 'unheard', 'the'), { minLength: 1, maxLength: 4 });
const query = fc.array(clause, { minLength: 1, maxLength: 3 });
const written = (clauses: string[][]) => clauses.map((one) => one.join(' ')).join(' or ');

/** Weight, usual length in words, share of the length that counts. */
const FIELDS = {
  name: [3.5, 3, 0.5],
  server: [2, 1, 0],
  title: [1, 3, 0.5],
  description: [1, 20, 0.75],
  argumentNames: [0.4, 5, 0.5],
  argumentDescriptions: [0.3, 30, 0.5],
  searchTerms: [2, 5, 0.5],
} as const;
type Field = keyof typeof FIELDS;

function textOf(one: Subject, field: Field): string[] {
  return field === 'server' ? [one.server].filter((text) => text !== '') : one[field];
}

function worth(term: string, one: Subject): number {
  let sum = 0;
  for (const [field, [weight, length, share]] of Object.entries(FIELDS) as [Field, [number, number, number]][]) {
    const text = textOf(one, field);
    const count = text.filter((other) => other === term).length;
    sum += (count * weight) / (1 + share * (text.length / length - 1));
  }
  return sum / (1.5 + sum);
}

function rarity(term: string, subjects: readonly Subject[]): number {
  const holding = subjects.filter((one) => worth(term, one) > 0).length;
  return Math.log(1 + (subjects.length - holding + 0.5) / (holding + 0.5));
}

function scores(terms: readonly string[], subjects: readonly Subject[]): number[] {
  const asked = [...new Set(terms)].filter((term) => term !== 'the');
  const whole = asked.reduce((sum, term) => sum + rarity(term, subjects), 0);
  const isTopic = asked.length <= 4 && !asked.some((term) => ['list', 'search', 'create'].includes(term));
  return subjects.map((one) => {
    const found = asked.filter((term) => worth(term, one) > 0);
    const sum = found.reduce((total, term) => total + rarity(term, subjects) * worth(term, one), 0);
    const reading = isTopic && sum > 0 ? 0.3 * (worth('list', one) + worth('search', one)) : 0;
    const coverage = found.reduce((total, term) => total + rarity(term, subjects), 0) / (whole || 1);
    return (sum + reading) * (0.35 + 0.65 * coverage);
  });
}

function oracle(clauses: string[][], subjects: readonly Subject[]): string[] {
  const whole = scores(clauses.flat(), subjects);
  const top = Math.max(0, ...whole);
  const parts = clauses.filter((one) => one.some((term) => term !== 'the')).map((one) => scores(one, subjects));
  const gain = (index: number) =>
    parts.length < 2
      ? 0
      : Math.max(...parts.map((part) => ((part[index] ?? 0) / (Math.max(...part) || 1)) * top * 0.8));
  const letters = written(clauses).replaceAll(' ', '');
  const exact = (one: Subject) => (written(clauses) === nameOf(one) ? 2e9 : letters === one.name.join('') ? 1e9 : 0);
  return subjects
    .map((one, index) => ({ name: nameOf(one), score: exact(one) + (whole[index] ?? 0) + gain(index) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => (Math.abs(a.score - b.score) < 1e-6 ? (a.name < b.name ? -1 : 1) : b.score - a.score))
    .map(({ name }) => name);
}

function definitionOf(one: Subject): ToolDefinition {
  const properties: Record<string, unknown> = Object.fromEntries(one.argumentNames.map((argument) => [argument, {}]));
  const items = [{ description: one.argumentDescriptions.join(' ') }];
  return tool(nameOf(one), {
    title: one.title.join(' '),
    description: one.description.join(' '),
    modelInputSchema: { type: 'object', properties, anyOf: items },
    searchTerms: one.searchTerms,
    ...(one.server !== '' && { provenance: { server: one.server } }),
  });
}

function registryOf(subjects: readonly Subject[]): ToolRegistry {
  const registry = new ToolRegistry();
  registry.register(subjects.map(definitionOf), 'deferred');
  return registry;
}

const found = (registry: ToolRegistry, clauses: string[][]) => names(registry.searchDeferred(written(clauses)));
const settings = { numRuns: 500 };

describe('search', () => {
  it('orders as the brute-force rule does', () => {
    fc.assert(
      fc.property(catalogue, query, (subjects, clauses) => {
        expect(found(registryOf(subjects), clauses)).toEqual(oracle(clauses, subjects));
      }),
      { ...settings, numRuns: 1_500 },
    );
  });

  it('does not depend on the order of registration, nor on being asked before', () => {
    fc.assert(
      fc.property(catalogue, query, (subjects, clauses) => {
        const registry = registryOf(subjects);
        const first = found(registry, clauses);
        expect(found(registry, clauses)).toEqual(first);
        expect(found(registryOf([...subjects].reverse()), clauses)).toEqual(first);
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
    const registry = new ToolRegistry();
    registry.register(tool('send_mail', { description: 'read' }), 'deferred');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        expect(registry.searchDeferred(text).length).toBeLessThanOrEqual(1);
      }),
      settings,
    );
  });

  it('explains exactly the words that a tool has', () => {
    fc.assert(
      fc.property(catalogue, clause, (subjects, terms) => {
        for (const hit of registryOf(subjects).searchHits(terms.join(' '), { limit: 100 })) {
          const one = subjects.find((other) => nameOf(other) === hit.tool.name) as Subject;
          const asked = [...new Set(terms)].filter((term) => term !== 'the');
          const answered = asked.filter((term) => worth(term, one) > 0);
          if (hit.named) continue;
          expect(hit.words.map(({ word: asWritten, match }) => [asWritten, match])).toEqual(
            answered.map((term) => [term, 'word']),
          );
          for (const { word: term, fields } of hit.words) {
            expect(fields).toEqual(
              (Object.keys(FIELDS) as Field[]).filter((field) => textOf(one, field).includes(term)),
            );
          }
          const sum = (all: string[]) => all.reduce((total, term) => total + rarity(term, subjects), 0);
          expect(hit.coverage).toBeCloseTo(sum(answered) / sum(asked), 9);
        }
      }),
      settings,
    );
  });
});

/** A registry, the subjects that it must hold, and what a step does to both. */
interface Pair {
  readonly registry: ToolRegistry;
  subjects: Subject[];
  active: ReadonlySet<string>;
}
type Step =
  | { readonly kind: 'batch'; readonly subjects: Subject[] }
  | { readonly kind: 'activate'; readonly at: number }
  | { readonly kind: 'defer' }
  | { readonly kind: 'put'; readonly subject: Subject }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'search'; readonly query: string[][] }
  | { readonly kind: 'fork' }
  | { readonly kind: 'clear' };

const step: fc.Arbitrary<{ readonly on: number; readonly step: Step }> = fc.record({
  on: fc.nat(3),
  step: fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), subject }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('batch' as const), subjects: catalogue }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('activate' as const), at: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('defer' as const) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('search' as const), query }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('fork' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
  ),
});

/** Does a step to one registry, and gives the fork that it made. */
function take(pair: Pair, one: Step): Pair | undefined {
  const { registry, subjects } = pair;
  if (one.kind === 'fork') return { registry: registry.fork(), subjects, active: pair.active };
  if (one.kind === 'clear') {
    registry.clear();
    pair.subjects = [];
  } else if (one.kind === 'put') {
    const name = nameOf(one.subject);
    const definition = definitionOf(one.subject);
    if (registry.has(name)) registry.replace(definition);
    else registry.register(definition, 'deferred');
    pair.subjects = [...subjects.filter((other) => nameOf(other) !== name), one.subject];
  } else if (one.kind === 'batch') {
    const fresh = one.subjects.filter((other) => !registry.has(nameOf(other)));
    registry.register(fresh.map(definitionOf), 'deferred');
    pair.subjects = [...subjects, ...fresh];
  } else if (one.kind === 'remove') {
    const gone = subjects[one.at % (subjects.length || 1)];
    if (gone) registry.unregister(nameOf(gone));
    pair.subjects = subjects.filter((other) => other !== gone);
  } else if (one.kind === 'activate') {
    const chosen = subjects[one.at % (subjects.length || 1)];
    if (chosen) registry.activate([nameOf(chosen)]);
    if (chosen) pair.active = new Set([...pair.active, nameOf(chosen)]);
  } else if (one.kind === 'defer') {
    registry.defer([...pair.active]);
    pair.active = new Set();
  } else {
    expectRule(pair, one.query);
  }
  const kept = pair.subjects.map(nameOf);
  pair.active = new Set([...pair.active].filter((name) => kept.includes(name)));
  return undefined;
}

/** Each state is found in the order of the brute-force rule, which counts the tools of all states. */
function expectRule({ registry, subjects, active }: Pair, clauses: string[][]): void {
  const ordered = oracle(clauses, subjects);
  expect(found(registry, clauses)).toEqual(ordered.filter((name) => !active.has(name)));
  expect(names(registry.searchActive(written(clauses)))).toEqual(ordered.filter((name) => active.has(name)));
}

describe('an index that changes', () => {
  it('orders as the brute-force rule does, in every fork, however the tools came', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), query, (steps, clauses) => {
        const pairs: Pair[] = [{ registry: new ToolRegistry(), subjects: [], active: new Set() }];
        for (const { on, step: one } of steps) {
          const fork = take(pairs[on % pairs.length] as Pair, one);
          if (fork) pairs.push(fork);
        }
        for (const pair of pairs) {
          expectRule(pair, clauses);
          for (const term of [...WORDS, ...SERVERS]) expectRule(pair, [[term]]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('gives scores that the number of queries before, and their size, leave alone', () => {
    fc.assert(
      fc.property(catalogue, catalogue, fc.array(query, { maxLength: 6 }), (some, others, queries) => {
        const pairs = [some, others].map((subjects) => ({
          registry: registryOf(subjects),
          subjects,
          active: new Set(''),
        }));
        for (const clauses of queries) for (const pair of pairs) expectRule(pair, clauses);
      }),
      settings,
    );
  });
});
