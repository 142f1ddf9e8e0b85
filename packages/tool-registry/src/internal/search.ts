/** Ranked lexical search over tools: what a document is, how it is scored, how ties break. */

import { compareCodeUnits } from '@holdfast/kernel';
import { nameLetters, queryTerms, splitWords } from './words.js';

/** What search knows of one tool. Made once, at registration. */
export interface SearchDocument {
  readonly name: string;
  /** The whole name and the name without its server's prefix, letters only. */
  readonly spellings: readonly [full: string, base: string];
  readonly nameWords: ReadonlySet<string>;
  readonly descriptionWords: ReadonlySet<string>;
  readonly argumentWords: ReadonlySet<string>;
}

export interface SearchSource {
  readonly name: string;
  readonly description: string;
  readonly argumentNames: readonly string[];
  readonly searchTerms: readonly string[];
}

/** What a word is worth by where it is found, before the length of that text is taken into account. */
const NAME_WORD = 12;
const NAME_PART = 8;
const DESCRIPTION_WORD = 5;
const ARGUMENT_WORD = 3;
/** A query that is the tool's name outranks every sum of words. */
const SAME_NAME = 1e12;
const EXACT_NAME = 1e9;
const EXACT_BASE_NAME = 1e6;

/** The server's part of a name, as MCP hosts write it: `mcp__server__tool`. */
const SERVER_PREFIX = /^mcp__.+?__(?=.)/i;

/** Splits a tool's texts once, so that a query only looks words up. */
export function searchDocument(source: SearchSource): SearchDocument {
  const base = source.name.replace(SERVER_PREFIX, '');
  return {
    name: source.name,
    spellings: [nameLetters(source.name), nameLetters(base)],
    nameWords: new Set(splitWords(source.name)),
    descriptionWords: new Set(splitWords(`${source.description}\n${source.searchTerms.join('\n')}`)),
    argumentWords: new Set(splitWords(source.argumentNames.join('\n'))),
  };
}

/**
 * The names of the documents that match, best first. A word that few documents have is worth more; a document with more
 * of the query's words goes before one with fewer, other things being near; ties break by name in code unit order.
 */
export function rankDocuments(
  query: string,
  documents: readonly SearchDocument[],
  stopWords: ReadonlySet<string>,
): string[] {
  const written = query.slice(0, 512).trim();
  const terms = queryTerms(query, stopWords);
  const worth = terms.map((term) => documents.map((document) => termScore(term, document)));
  const weights = worth.map((scores) => rarity(scores, documents.length));
  const ranked = documents.map((document, index) => {
    const scores = worth.map((column) => column[index] ?? 0);
    return { name: document.name, score: exactScore(written, document) + combine(scores, weights) };
  });
  return ranked
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.name, b.name))
    .map((entry) => entry.name);
}

/** The very name, then the name in another spelling, then the name without its server. */
function exactScore(written: string, document: SearchDocument): number {
  const letters = nameLetters(written);
  if (letters === '') return 0;
  if (written === document.name) return SAME_NAME;
  const [full, base] = document.spellings;
  return letters === full ? EXACT_NAME : letters === base ? EXACT_BASE_NAME : 0;
}

/** A word in a long name or description says less about the tool than one in a short text. */
function termScore(term: string, document: SearchDocument): number {
  const { spellings, nameWords, descriptionWords, argumentWords } = document;
  const inName = nameWords.has(term) ? NAME_WORD : spellings[0].includes(term) ? NAME_PART : 0;
  const inDescription = descriptionWords.has(term) ? DESCRIPTION_WORD : 0;
  const inArguments = argumentWords.has(term) ? ARGUMENT_WORD : 0;
  return (
    inName / (1 + nameWords.size / 10) +
    inDescription / (1 + descriptionWords.size / 50) +
    inArguments / (1 + argumentWords.size / 50)
  );
}

/** Inverse document frequency of a term, always positive. */
function rarity(scores: readonly number[], documents: number): number {
  const holding = scores.reduce((count, score) => (score > 0 ? count + 1 : count), 0);
  return Math.log(1 + (documents + 1) / (holding + 1));
}

/** The weighted sum, times the share of the query (by weight) that the document answers. */
function combine(scores: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  let found = 0;
  let total = 0;
  for (const [index, score] of scores.entries()) {
    const weight = weights[index] ?? 0;
    sum += score * weight;
    total += weight;
    if (score > 0) found += weight;
  }
  return total === 0 ? 0 : sum * (0.4 + (0.6 * found) / total);
}
