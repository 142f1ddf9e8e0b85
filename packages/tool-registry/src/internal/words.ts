/** Words: how names, descriptions and queries are split for search. */

/** Words of every query and description that tell no tool from another. Verbs are kept: they tell create from delete. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'the and for with from that this into onto out are was were has have had can could will would should shall may ' +
    'might must you your our their its his her they them she who whom whose what which when where why how does did ' +
    'not but any all some each both than then there here about also just only very please need needs want wants ' +
    'let lets like use uses used using via per tool tools function functions mcp'
  )
    .split(' ')
    .map(foldPlural),
);

/** The least length of a word that counts in a query. */
const MIN_TERM_LENGTH = 3;
/** A query is text from a model: only its beginning is read. */
const MAX_QUERY_LENGTH = 512;
const MAX_TERMS = 32;

/**
 * The words of a text in lower case: runs of letters or digits, split where camelCase, snake_case, kebab-case, dots or
 * digits divide them.
 */
export function splitWords(text: string): string[] {
  const spaced = text
    .normalize('NFKC')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (spaced.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []).map((word) => foldPlural(word.toLowerCase()));
}

/** The distinct words of a query that can find something: at least 3 characters, and not stop words. */
export function queryTerms(query: string, stopWords: ReadonlySet<string>): string[] {
  const words = splitWords(query.slice(0, MAX_QUERY_LENGTH));
  const terms = words.filter((word) => word.length >= MIN_TERM_LENGTH && !STOP_WORDS.has(word) && !stopWords.has(word));
  return [...new Set(terms)].slice(0, MAX_TERMS);
}

/** Letters and digits in lower case and nothing else: what two spellings of one name have in common. */
export function nameLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** `emails` and `email` are one word to a person who looks for a tool. */
function foldPlural(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
