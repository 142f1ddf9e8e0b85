import { describe, expect, it } from 'vitest';
import { killPlan, NO_KILL_RECIPIENT, type PlannedKill } from '../src/kill-plan.js';
import type { DemoOptions } from '../src/options.js';
import { endingFor } from '../src/screen/ending.js';
import { createPaint } from '../src/screen/paint.js';
import { prove } from '../src/supervisor/proof.js';
import type { DemoOutcome } from '../src/supervisor/run-demo.js';
import { input, row } from './support/rows.js';

const options: DemoOptions = {
  input: undefined,
  without: false,
  model: 'scripted',
  directory: undefined,
  reconcile: true,
};
const plan = killPlan(true);
const email = { to: 'team@example.com', subject: 's', body: 'the whole letter' };
const parts = ['a', 'b', 'c', 'd'].map((text, index) => ({ title: 't', part: index + 1, of: 4, text }));

function outcome(fields: Partial<DemoOutcome> = {}): DemoOutcome {
  return {
    rows: [],
    kills: plan,
    plannedKills: plan.length,
    worker: 8,
    world: { emails: [email], parts },
    notes: ['one', 'two'],
    receipts: { completed: 4, open: 0 },
    summary: { finalText: '', references: ['tool0turn0'], flush: '' },
    error: undefined,
    ...fields,
  };
}

function failing(fields: Partial<DemoOutcome>, changed: Partial<DemoOptions> = {}): string[] {
  const proof = prove(outcome(fields), input, { ...options, ...changed });
  expect(proof.holds).toBe(false);
  return proof.claims.filter(({ holds }) => !holds).map(({ claim }) => claim);
}

describe('the proof', () => {
  it('holds when everything happened exactly once', () => {
    const proof = prove(outcome(), input, options);
    expect(proof.claims.filter(({ holds }) => !holds)).toEqual([]);
    expect(proof).toMatchObject({ holds: true, repeats: 0 });
  });

  it.each<[string, Partial<DemoOutcome>, RegExp]>([
    ['an e-mail too many', { world: { emails: [email, email], parts } }, /e-mails/],
    ['no e-mail', { world: { emails: [], parts } }, /e-mails/],
    ['a note too many', { notes: ['one', 'two', 'one'] }, /memory notes/],
    ['no note', { notes: [] }, /memory notes/],
    ['no reference', { summary: { finalText: '', references: [], flush: '' } }, /by reference/],
    ['an open receipt', { receipts: { completed: 4, open: 1 } }, /receipts/],
    ['a kill too few', { kills: plan.slice(1) }, /kills/],
  ])('does not hold with %s, and says so', (_, fields, claim) => {
    expect(failing(fields)).toEqual([expect.stringMatching(claim)]);
  });

  it('does not hold with a part twice, missing or changed', () => {
    const [first, ...rest] = parts as [(typeof parts)[0], ...typeof parts];
    expect(failing({ world: { emails: [email], parts: [first, ...parts] } })).toHaveLength(2);
    expect(failing({ world: { emails: [email], parts: rest } })).toHaveLength(2);
    const changed = [{ ...first, text: 'A' }, ...rest];
    expect(failing({ world: { emails: [email], parts: changed } })).toEqual([expect.stringContaining('byte for byte')]);
  });

  it('does not hold when the run broke off', () => {
    expect(prove(outcome({ error: 'stopped' }), input, options).holds).toBe(false);
  });

  it('allows a lost question, but no second e-mail, without a reconciler', () => {
    const left = { receipts: { completed: 4, open: 1 } };
    const asked = { ...options, reconcile: false };
    expect(prove(outcome(left), input, asked).holds).toBe(true);
    expect(prove(outcome({ ...left, world: { emails: [], parts } }), input, asked).holds).toBe(true);
    expect(failing({ ...left, world: { emails: [email, email], parts } }, { reconcile: false })).toHaveLength(1);
  });

  it('counts what a plain agent repeats, cut e-mails and the run without kills included', () => {
    const cut = { ...email, body: 'the wh' };
    const idle = { to: NO_KILL_RECIPIENT, subject: 's', body: 'b' };
    const world = { emails: [cut, email, email, idle, idle], parts: [...parts, ...parts] };
    const proof = prove(outcome({ world, notes: ['one', 'one', 'two'] }), input, { ...options, without: true });
    expect(proof.repeats).toBe(2 + 1 + 4 + 1);
    expect(proof.claims.map(({ found }) => found)).toContain('3, 1 of them cut off');
    expect(proof.claims.map(({ claim }) => claim)).not.toContain('receipts, none left open');
  });
});

describe('what became of each kill', () => {
  const kill = plan.find(({ point }) => point === 'email-arrived') as PlannedKill;
  const rows = [
    row({ worker: 4, state: 'killed', kill }),
    row({ worker: 5, state: 'refused' }),
    row({ worker: 5, tool: 'read_file', outside: '' }),
    row({ worker: 5, state: 'killed' }),
    row({ worker: 6, state: 'reconciled', note: 'asked' }),
    row({ worker: 7, state: 'replayed', outside: '1' }),
  ];

  it('follows the call until it is decided, and gives the last count', () => {
    expect(prove(outcome({ rows, kills: [kill] }), input, options).kills).toEqual([
      {
        moment: kill.moment,
        tool: 'send_email',
        aftermath: '#5 ✗ #6 reconciled (asked)',
        outside: '1',
        once: true,
      },
    ]);
  });

  it('says when the call was not decided', () => {
    const [record] = prove(outcome({ rows: rows.slice(0, 1), kills: [kill] }), input, options).kills;
    expect(record?.aftermath).toBe('not decided');
  });
});

describe('the last lines', () => {
  const last = (fields: Partial<DemoOutcome>, changed: Partial<DemoOptions> = {}): string => {
    const all = { ...options, ...changed };
    const run = outcome(fields);
    return endingFor(prove(run, input, all), all, run.error, createPaint(false)).proof.join('\n');
  };

  it('say what was shown', () => {
    expect(last({})).toContain('The proof holds: 7 kills, and every effect happened exactly once.');
    expect(last({ notes: [] })).toContain('The proof does not hold.');
    expect(last({ error: 'The model is gone.' })).toContain('The run broke off: The model is gone.');
    expect(last({ notes: ['a', 'a'] }, { without: true })).toContain(
      'Without Holdfast: 7 kills, and 1 effects happened again',
    );
    expect(last({}, { without: true })).toContain('nothing is shown by this run');
    expect(last({ receipts: { completed: 4, open: 1 } }, { reconcile: false })).toContain('waits for a person');
  });
});
