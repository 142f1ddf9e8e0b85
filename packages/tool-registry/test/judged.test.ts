/**
 * The gate of search: made-up tools of made-up servers, and what people and models would ask for. The figures may rise
 * and must not fall; they are the ones of SEARCH.md.
 */

import { readFileSync } from 'node:fs';
import { ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { names, tool } from './support.js';

interface JudgedTool {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Each need is a list of tools of which any one meets it; a query without needs is one that nothing answers. */
interface JudgedQuery {
  readonly kind: string;
  readonly query: string;
  readonly needs: readonly (readonly string[])[];
}

function read<T>(file: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`judged/${file}`, import.meta.url), 'utf8'));
}

const tools = read<JudgedTool>('catalogue.json');
const queries = read<JudgedQuery>('queries.json');

const registry = new ToolRegistry();
registry.register(
  tools.map((one) =>
    tool(`${one.server}__${one.tool}`, {
      description: one.description,
      provenance: { server: one.server },
      modelInputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(one.arguments).map(([name, description]) => [name, { type: 'string', description }]),
        ),
      },
    }),
  ),
  'deferred',
);

/** The share of needs that the first `count` tools meet, in percent, averaged over queries. */
function recall(asked: readonly JudgedQuery[], count: number): number {
  const shares = asked.map(({ query, needs }) => {
    const top = names(registry.searchDeferred(query)).slice(0, count);
    return needs.filter((need) => need.some((name) => top.includes(name))).length / needs.length;
  });
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
}

const answered = queries.filter(({ needs }) => needs.length > 0);

describe('the judged queries', () => {
  it('are many, of many kinds, over tools of many servers that exist', () => {
    expect(tools.length).toBeGreaterThanOrEqual(60);
    expect(new Set(tools.map(({ server }) => server)).size).toBeGreaterThanOrEqual(8);
    expect(queries.length).toBeGreaterThanOrEqual(100);
    for (const name of queries.flatMap(({ needs }) => needs.flat())) expect(registry.has(name), name).toBe(true);
  });

  it.each([
    [1, 81],
    [3, 92],
    [5, 94],
    [10, 96],
  ])('find within %d what they need, %d of a hundred or more', (count, least) => {
    expect(recall(answered, count)).toBeGreaterThanOrEqual(least);
  });

  it.each([
    ['identifier', 1, 100],
    ['keywords', 1, 100],
    ['forms', 1, 100],
    ['argument', 1, 100],
    ['server', 1, 100],
    ['several', 5, 100],
    ['typo', 5, 100],
    ['language', 5, 91],
    ['paraphrase', 5, 85],
  ])('of the kind %s find within %d what they need, %d of a hundred or more', (kind, count, least) => {
    expect(
      recall(
        answered.filter((one) => one.kind === kind),
        count,
      ),
    ).toBeGreaterThanOrEqual(least);
  });

  it.each(queries.filter(({ needs }) => needs.length === 0).map(({ query }) => query))(
    'find nothing for %j',
    (query) => {
      expect(names(registry.searchDeferred(query))).toEqual([]);
    },
  );

  it('of the others, at most one in a hundred is left without an answer', () => {
    const empty = answered.filter(({ query }) => registry.searchDeferred(query).length === 0);
    expect(empty.length).toBeLessThanOrEqual(answered.length / 100);
  });
});
