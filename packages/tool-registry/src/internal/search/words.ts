/** Words: how names, texts and queries are split for search, and what a word is reduced to. */

/** Words of any query that tell no tool from another. Verbs are kept: they tell create from delete. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'the and for with from that this into onto out are was were has have had can could will would should shall may ' +
    'might must you your our their its his her they them who whom whose what which when where why how does did ' +
    'not but any all some each both than then there here about also just only very please need needs want wants ' +
    'let lets like use uses used using via per tool tools function functions mcp ' +
    'an of in on to is it be by or as at my me do we so if no up us am'
  ).split(' '),
);

/** The least length of a word that counts in a query. One character of Chinese, Japanese or Korean is a word. */
const MIN_TERM_LENGTH = 2;
const MAX_TERMS = 32;

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;
const SIGNS = /[^\0-\x7f\p{L}\p{N}]+/gu;
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';
/** Scripts that are written without spaces, or inflected by suffix: their runs are cut into pairs of characters. */
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/**
 * The words of a text in lower case and without accents: runs of letters or digits, divided where camelCase,
 * snake_case, kebab-case, dots or digits divide them; Chinese, Japanese and Korean as overlapping pairs of characters.
 */
export function splitWords(text: string): string[] {
  return splitRuns(text).map((run) => run.toLowerCase());
}

/**
 * The same words in the letters of the text, without its accents. Most texts are ASCII, or are once accents, dashes and
 * quotes are gone: they take a shorter way.
 */
export function splitRuns(text: string): string[] {
  if (ASCII.test(text)) return asciiRuns(text);
  const plain = text.normalize('NFKD').replace(MARKS, '').replace(SIGNS, ' ');
  if (ASCII.test(plain)) return asciiRuns(plain);
  const spaced = plain
    .normalize('NFC')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (spaced.match(/\p{L}+|\p{N}+/gu) ?? []).flatMap((run) =>
    ASCII.test(run)
      ? run
      : (run.match(UNSPACED_RUN) ?? []).flatMap((part) => (IS_UNSPACED.test(part) ? pairs(part) : part)),
  );
}

function asciiRuns(text: string): string[] {
  return text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A word of a query that can find something. */
export interface QueryWord {
  readonly word: string;
  /** The word written together with the one before it and with the one after it. */
  readonly compounds: readonly string[];
}

/** The distinct words of a query that can find something, in their order. */
export function queryWords(query: string, stopWords: ReadonlySet<string>): QueryWord[] {
  const counts = (word: string) =>
    (word.length >= MIN_TERM_LENGTH || IS_UNSPACED.test(word)) && !STOP_WORDS.has(word) && !stopWords.has(stem(word));
  const written = splitWords(query);
  return [...new Set(written.filter(counts))].slice(0, MAX_TERMS).map((word) => {
    const at = written.indexOf(word);
    const compounds = [`${written[at - 1] ?? ''}${word}`, `${word}${written[at + 1] ?? ''}`];
    return { word, compounds: compounds.filter((compound) => compound !== word) };
  });
}

/** Tells whether a word can be cut, begun or misspelt, as far as search is concerned. */
export function isSpelled(word: string): boolean {
  return !IS_UNSPACED.test(word);
}

/** Letters and digits in lower case and nothing else: what two spellings of one name have in common. */
export function nameLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Stems are asked for again and again; the memory of them is emptied when it holds this many. */
const MAX_STEMS = 10_000;
const stems = new Map<string, string>();

/** What the forms of an English word have in common: `created`, `Creates`, `creation` give `creat`. */
export function stem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    known = makeStem(word.toLowerCase());
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, known);
  }
  return known;
}

const ENDING =
  /^(.{3,}?)(?:ization|ational|ation|ating|ated|ator|ate|ing|ion|ed|er|or|ment|ly)$|^(.{5,}?)(?:ance|ence|able|ible|ally|al|ive|ness|ity|ize)$/;

function makeStem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const singular = dropPlural(word);
  const cut = ENDING.exec(singular);
  const root = cut?.[1] ?? cut?.[2] ?? '';
  const base = /[aeiouy]/.test(root) ? root : singular;
  if (base.length < 4) return base;
  return base
    .replace(/e$/, '')
    .replace(/y$/, 'i')
    .replace(/([bdfgmnprt])\1$/, '$1');
}

function dropPlural(word: string): string {
  if (/..ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
