/** Texts come back code unit by code unit, wherever they are kept. */

import { cases } from './case.js';
import { equal, matches } from './expect.js';
import { KEY, keyOf, LONG, resumable, type Trial } from './trial.js';

const TEXTS: readonly string[] = [
  '',
  ' padded ',
  'a\u0000b',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  '😀 é e\u0301 ﬁ',
  '\ufeff\ufffe\uffff\ufffd',
  '"\\\n\r\t\u2028',
  '\\u0000 \\x00 \\json:"x"',
  '{"a":1e400}',
  "'; DROP TABLE receipts; --",
  '$1 ? %s :name',
  '12345678901234567890',
  '1e3',
  'null',
  '__proto__',
];
const LONG_TEXT = 'a\u0000😀\ud800'.repeat(60_000);

/** Tries each text under a key of its own. */
async function each(body: (text: string, key: typeof KEY) => Promise<void>): Promise<void> {
  for (const [index, text] of [...TEXTS, LONG_TEXT].entries()) await body(text, keyOf(String(index)));
}

export const texts = cases('texts', {
  results: [
    'gives results back',
    (trial: Trial) =>
      each(async (text, key) => {
        await trial.completed(text, key);
        matches('the replay', await trial.claim('b', {}, key), { kind: 'replay', result: text });
        equal('the result read', (await trial.store.read(key))?.result, text);
      }),
  ],

  errors: [
    'gives errors back',
    (trial: Trial) =>
      each(async (text, key) => {
        const claim = await trial.granted('a', {}, key);
        await trial.store.fail(key, claim, { kind: 'terminal', error: text });
        matches('the claim', await trial.claim('b', {}, key), { kind: 'rejected', error: text });
        equal('the error listed', (await trial.summary(key)).error, text);
        equal('the error read', (await trial.store.read(key))?.error, text);
      }),
  ],

  steps: [
    'gives the names and values of journal entries back',
    async (trial: Trial) => {
      const claim = await trial.granted('a', resumable);
      const entries = new Map(TEXTS.map((text, index) => [text, index % 2 === 0 ? text : LONG_TEXT]));
      for (const [name, value] of entries) await trial.store.step(KEY, claim, LONG, name, value);
      equal('the journal read', (await trial.store.read(KEY))?.steps, entries);
      equal('the journal', await trial.journalAfter(claim), entries);
    },
  ],

  evidence: [
    'gives evidence back',
    (trial: Trial) =>
      each(async (text, key) => {
        const claim = await trial.failed('clean', 'no', key);
        await trial.store.complete(key, claim, text);
        equal('the evidence', (await trial.summary(key)).evidence?.text, text);
        equal('the evidence read', (await trial.store.read(key))?.evidence?.text, text);
      }),
  ],

  verdicts: [
    'gives the result and the error of a verdict back',
    (trial: Trial) =>
      each(async (text, key) => {
        const { attempt } = await trial.failed('unknown', 'timeout', key);
        await trial.store.resolve(key, attempt, { kind: 'happened', result: text });
        matches('the replay', await trial.claim('b', {}, key), { kind: 'replay', result: text });
        const other = { ...key, toolName: 'other' };
        const { attempt: again } = await trial.failed('unknown', 'timeout', other);
        await trial.store.resolve(other, again, { kind: 'give-up', error: text });
        matches('the claim', await trial.claim('b', {}, other), { kind: 'rejected', error: text });
      }),
  ],

  tokens: [
    'tells tokens apart',
    async (trial: Trial) => {
      const texts = [...TEXTS, '\ufffd'];
      for (const [index, text] of texts.entries()) {
        const key = keyOf(String(index));
        await trial.granted(`token ${text}`, {}, key);
        for (const other of texts) await trial.answers(other === text ? 'execute' : 'wait', `token ${other}`, {}, key);
      }
    },
  ],

  keys: [
    'tells keys apart, unit by unit, and lists them as they are',
    async (trial: Trial) => {
      const parts = [...TEXTS, '\udc00', '\ufffd', 'A\u0000B', 'é', 'e\u0301'];
      const keys = (['tenantId', 'runId', 'toolName', 'argsHash'] as const).flatMap((part) =>
        parts.map((text) => ({ ...KEY, [part]: text })),
      );
      for (const key of keys) await trial.granted('a', {}, key);
      const seen = (list: readonly (typeof KEY)[]) =>
        list
          .map(({ tenantId, runId, toolName, argsHash }) => JSON.stringify([tenantId, runId, toolName, argsHash]))
          .sort();
      equal('the keys listed', seen((await trial.receipts()).map(({ key }) => key)), seen(keys));
      for (const key of keys) equal('the key read', (await trial.store.read(key))?.key, key);
      for (const key of keys) await trial.answers('wait', 'b', {}, key);
    },
  ],
});
