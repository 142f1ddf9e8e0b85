/**
 * A query while another one is under way: scores are summed on a sheet that queries hand on to each other, and who asks
 * in between, or fails in between, must change nothing.
 */

import { createSearchTool, SEARCH_TOOL_NAME, ToolRegistry, type ToolSearchOptions } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import type { PlannedWord } from '../src/internal/search/query-plan.js';
import { type Postings, type PostingsOf, scoreQuery } from '../src/internal/search/score.js';
import { names, tool } from './support.js';

const SIZE = 6;
const LISTS: Record<string, Postings> = { zorb: [0, 0.5, 1, 0.25, 4, 0.5], quilt: [1, 0.75, 5, 0.5], mank: [4, 0.25] };
const listOf: PostingsOf = (term) => LISTS[term] ?? [];
const planned = (word: string): PlannedWord => ({
  word,
  rarity: 1,
  variants: [{ term: word, match: 'word', factor: 1 }],
});
const whole = ['zorb', 'quilt', 'mank'].map(planned);
const clauses = [[planned('zorb')], [planned('quilt'), planned('mank')]];
/** Slots with their scores, worked out by hand of the rule: sums, shares of the query found, the best clause. */
const EXPECTED = scoresByHand();

function scoresByHand(): Map<number, number> {
  const worths = [
    { slot: 0, zorb: 0.5, quilt: 0, mank: 0 },
    { slot: 1, zorb: 0.25, quilt: 0.75, mank: 0 },
    { slot: 4, zorb: 0.5, quilt: 0, mank: 0.25 },
    { slot: 5, zorb: 0, quilt: 0.5, mank: 0 },
  ];
  const scores = (words: ('zorb' | 'quilt' | 'mank')[]) =>
    worths.map((one) => {
      const found = words.filter((word) => one[word] > 0);
      const sum = found.reduce((total, word) => total + one[word], 0);
      return sum * (0.35 + (0.65 * found.length) / words.length);
    });
  const all = scores(['zorb', 'quilt', 'mank']);
  const parts = [scores(['zorb']), scores(['quilt', 'mank'])];
  const gain = (at: number) => Math.max(...parts.map((part) => (part[at] ?? 0) / Math.max(...part)));
  return new Map(worths.map(({ slot }, at) => [slot, (all[at] ?? 0) + 0.8 * Math.max(...all) * gain(at)]));
}

function expectScores(postingsOf: PostingsOf = listOf, size = SIZE): void {
  const { slots, values } = scoreQuery(whole, clauses, postingsOf, size);
  expect([...slots].sort()).toEqual([...EXPECTED.keys()]);
  for (const [at, slot] of slots.entries()) expect(values[at]).toBeCloseTo(EXPECTED.get(slot) ?? 0, 12);
}

describe('a score', () => {
  it('is the same when another query, smaller or larger, is asked before each of its words', () => {
    expectScores();
    for (const size of [SIZE, 5_000, SIZE]) {
      expectScores((term) => {
        expectScores(listOf, size);
        return listOf(term);
      });
    }
  });

  it('is the same after a query that failed halfway', () => {
    let left = 0;
    const failing: PostingsOf = (term) => {
      left -= 1;
      if (left < 0) throw new Error('stopped');
      return listOf(term);
    };
    for (const calls of [1, 2, 3, 4, 5, 6]) {
      left = calls;
      expect(() => scoreQuery(whole, clauses, failing, SIZE)).toThrow('stopped');
      expectScores();
    }
  });
});

describe('a search from within host code', () => {
  const registryOf = (count: number) => {
    const registry = new ToolRegistry();
    const subjects = Array.from({ length: count }, (_, at) => tool(`${at % 2 ? 'send' : 'read'}_mail_${at}`));
    registry.register(subjects, 'deferred');
    return registry;
  };
  const query = 'send mail or read 3';

  it('leaves the search alone that reads its options', () => {
    const registry = registryOf(40);
    const other = registryOf(400);
    const hits = (options?: ToolSearchOptions) => names(registry.searchHits(query, options).map((hit) => hit.tool));
    const quiet = hits();
    const busy: ToolSearchOptions = {
      get limit() {
        registry.searchHits('read mail');
        other.searchDeferred('send or read or mail');
        return 10;
      },
    };
    expect(hits(busy)).toEqual(quiet);
  });

  it('leaves alone the searches that wait for a ranking, in whatever order they come back', async () => {
    const answer = async (asked: string, rank: () => Promise<string[]>) => {
      const registry = registryOf(40);
      registry.register(createSearchTool(registry, { rank }));
      return registry.execute(SEARCH_TOOL_NAME, { query: asked }, {});
    };
    const answers = (rank: () => Promise<string[]>) =>
      Promise.all([query, 'read', 'mail 7, send'].map((asked) => answer(asked, rank)));
    const other = registryOf(400);
    let turn = 3;
    const late = async () => {
      turn -= 1;
      const wait = 5 * turn;
      other.searchDeferred('send or read or mail');
      await new Promise((resolve) => setTimeout(resolve, wait));
      other.searchDeferred('mail');
      return ['read_mail_30'];
    };
    const quiet = await answers(async () => ['read_mail_30']);
    expect(quiet.map(({ success }) => success)).toEqual([true, true, true]);
    expect(await answers(late)).toEqual(quiet);
  });
});
