/** Tools for the search benchmark: the judged ones, and as many made-up ones as it takes, the same on every run. */

import { readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(new URL(`../test/judged/${file}`, import.meta.url), 'utf8'));

/** The judged tools, as plain data. */
export const judgedTools = read('catalogue.json').map((one) => ({
  id: `${one.server}__${one.tool}`,
  server: one.server,
  tool: one.tool,
  description: one.description,
  arguments: one.arguments,
}));

export const judgedQueries = read('queries.json');

/** `count` tools: the judged ones first. The made-up ones draw a few words often and most words seldom. */
export function toolsFor(count) {
  const random = numbers(7);
  const words = wordList(random);
  const draw = () => words[Math.floor(words.length * random() ** 3)];
  const phrase = (least, most) => Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, draw);
  const tools = [...judgedTools];
  while (tools.length < count) {
    const server = `${draw()}${Math.floor(tools.length / 12)}`;
    const tool = [...phrase(2, 3), String(tools.length)].join('_');
    const names = new Set(Array.from({ length: 1 + Math.floor(random() * 7) }, () => phrase(1, 2).join('_')));
    const described = [...names].map((name) => [name, phrase(3, 10).join(' ')]);
    const description = `${phrase(8, 30).join(' ')}.`;
    tools.push({ id: `${server}__${tool}`, server, tool, description, arguments: Object.fromEntries(described) });
  }
  return tools.slice(0, count);
}

/**
 * `count` tools of which none is made up: the judged ones, and the same ones again under further servers' names. Every
 * word of a query is in as many tools as among few servers, as it is where real tools are many.
 */
export function variantsFor(count) {
  return Array.from({ length: count }, (_, at) => {
    const one = judgedTools[at % judgedTools.length];
    const round = Math.floor(at / judgedTools.length);
    const server = round === 0 ? one.server : `${one.server}${round}`;
    return { ...one, id: `${server}__${one.tool}`, server };
  });
}

/** The words of the judged tools, the commonest first, among words that nobody has heard. */
function wordList(random) {
  const counts = new Map();
  for (const { tool, description } of judgedTools) {
    for (const word of splitIdentifier(`${tool} ${description}`).filter((one) => /^[a-z]+$/.test(one)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const known = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  const syllables = 'ba co du fe gi ha jo ku le mi no pa ru se ti vo wa xe yi zo bra cle dro fli gre'.split(' ');
  const made = () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * syllables.length)]).join(
      '',
    );
  return known.flatMap((word) => [word, ...Array.from({ length: 20 }, made)]);
}

/** Words in lower case, divided as names are. */
export function splitIdentifier(text) {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
