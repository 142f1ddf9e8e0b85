/** What the local model has in mind: a text with everything that a careless stream reader loses. */

const VERSE = [
  'Der Fährmann zählt die Sterne, "eins", sagt er, "zwei";',
  '\tdie Nacht ist still, der Fluss ist breit – und beides ist ihm einerlei.  ',
  'C:\\boote\\nacht\\fähre.txt: "\\n" ist kein Zeilenende.',
  '今夜も月が 川の上、谢谢谢谢，船は行く 🚣🏽‍♀️🌙',
  'if (ufer !== "links") { rudere("rechts"); rudere("rechts"); }',
  '',
];

/** The whole text. */
export const STORY: string = Array.from({ length: 6 }, (_, at) =>
  [`## Strophe ${at + 1}`, '', ...VERSE].join('\n'),
).join('\n');

/**
 * The arguments of a call as some models write them: what is beyond the Basic Multilingual Plane as a pair of escapes,
 * the rest as it is. So a cut can fall into an escape, between two of them, and into the bytes of a character.
 */
export function argumentsText(path: string, content: string): string {
  return JSON.stringify({ path, content }).replace(
    /[\ud800-\udfff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
}
