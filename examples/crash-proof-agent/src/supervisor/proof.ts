/** The proof: what the outside world counted, set against what was meant. */
import { createHash } from 'node:crypto';
import type { InputFile } from '../input-file.js';
import { NO_KILL_RECIPIENT, type PlannedKill } from '../kill-plan.js';
import type { DemoOptions } from '../options.js';
import { group } from '../screen/text.js';
import type { Email } from '../world/outside-world.js';
import type { CallRow } from './call-table.js';
import { countParts } from './count-outside.js';
import type { DemoOutcome } from './run-demo.js';

/** One sentence of the proof. */
export interface Claim {
  readonly claim: string;
  readonly found: string;
  readonly holds: boolean;
}

/** A kill with what the next processes decided about the endangered call, and the count at the end. */
export interface KillRecord {
  readonly moment: string;
  readonly tool: string;
  readonly aftermath: string;
  readonly outside: string;
  readonly once: boolean;
}

export interface Proof {
  readonly claims: readonly Claim[];
  readonly kills: readonly KillRecord[];
  readonly holds: boolean;
  /** Effects that happened again, each counted as often as it was too much. */
  readonly repeats: number;
}

export function prove(outcome: DemoOutcome, input: InputFile, options: DemoOptions): Proof {
  const parts = countParts(outcome.world);
  const notes = countNotes(outcome.notes);
  const [noKill, emails] = partition(outcome.world.emails, ({ to }) => to === NO_KILL_RECIPIENT);
  const effects: Claim[] = [
    { claim: 'report parts published, once each', found: parts.join('·'), holds: parts.every((count) => count === 1) },
    reportClaim(outcome.world, input),
    emailClaim(emails, options),
    {
      claim: 'memory notes written, once each',
      found: notes.join('·') || '0',
      holds: notes.length > 0 && notes.every((count) => count === 1),
    },
  ];
  const claims = options.without
    ? [...effects, noKillClaim(noKill)]
    : [...effects, ...holdfastClaims(outcome, options)];
  const killed: Claim = {
    claim: 'kills, each a real SIGKILL',
    found: `${outcome.kills.length} of ${outcome.plannedKills}`,
    // A real model may go a way on which a moment does not come; four of the moments are a proof all the same.
    holds: outcome.kills.length >= (options.model === 'openai' ? 4 : outcome.plannedKills),
  };
  return {
    claims: [...claims, killed],
    kills: outcome.kills.map((kill) => killRecord(kill, outcome.rows)),
    holds: outcome.error === undefined && [...claims, killed].every(({ holds }) => holds),
    repeats: sum([...parts, ...notes, emails.length, noKill.length].map((count) => Math.max(0, count - 1))),
  };
}

function emailClaim(emails: readonly Email[], { reconcile }: DemoOptions): Claim {
  const count = emails.length;
  const longest = Math.max(0, ...emails.map(({ body }) => body.length));
  const cut = emails.filter(({ body }) => body.length < longest).length;
  return {
    claim: reconcile ? 'e-mails sent, exactly one' : 'e-mails sent, at most one',
    found: cut > 0 ? `${count}, ${cut} of them cut off` : String(count),
    holds: cut === 0 && (reconcile ? count === 1 : count <= 1),
  };
}

function reportClaim(world: DemoOutcome['world'], input: InputFile): Claim {
  const text = world.parts.map((part) => part.text).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const same = sha256 === input.sha256;
  const bytes = `${group(Buffer.byteLength(text))} bytes, sha256 ${sha256.slice(0, 12)}…`;
  return {
    claim: 'report equals the input, byte for byte',
    found: same ? bytes : `${bytes}, input ${group(input.bytes)} bytes`,
    holds: same,
  };
}

/** A plain graph whose second tool failed once: the finished first one runs again when the run is resumed. */
function noKillClaim(emails: readonly Email[]): Claim {
  return {
    claim: 'no kill, one error: e-mails sent',
    found: `${emails.length}, from a plain StateGraph`,
    holds: emails.length === 1,
  };
}

function holdfastClaims({ summary, receipts }: DemoOutcome, { reconcile }: DemoOptions): Claim[] {
  const references = summary?.references ?? [];
  const { completed, open } = receipts;
  return [
    {
      claim: 'outputs used by reference',
      found: references.map((key) => `{{${key}}}`).join(' ') || 'none',
      holds: references.length > 0,
    },
    {
      claim: reconcile ? 'receipts, none left open' : 'receipts, one left to a person',
      found: `${completed} completed, ${open} open`,
      holds: completed > 0 && open === (reconcile ? 0 : 1),
    },
  ];
}

function killRecord(kill: PlannedKill, rows: readonly CallRow[]): KillRecord {
  const at = rows.findIndex((row) => row.kill === kill);
  const hit = rows[at];
  const later = rows.slice(at + 1).filter((row) => hit && isSameCall(row, hit));
  const outside = (later.at(-1) ?? hit)?.outside ?? '';
  return {
    moment: kill.moment,
    tool: kill.tool,
    aftermath: aftermath(later),
    outside,
    once: outside.split('·').every((count) => count === '1'),
  };
}

/** What the next processes did with the call, up to the first that decided it. */
function aftermath(later: readonly CallRow[]): string {
  const words: string[] = [];
  for (const row of later.filter(({ state }) => state !== 'refused')) {
    if (row.state === 'killed') words.push(`#${row.worker} ✗`);
    else return [...words, `#${row.worker} ${row.state}${row.note === '' ? '' : ` (${row.note})`}`].join(' ');
  }
  return [...words, 'not decided'].join(' ');
}

// A call that was killed while it was streamed has not said yet what it is about.
function isSameCall(row: CallRow, hit: CallRow): boolean {
  if (row.tool !== hit.tool || row.about === NO_KILL_RECIPIENT) return false;
  return row.tool !== 'memory_append' || row.about === hit.about;
}

function countNotes(notes: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const note of notes) counts.set(note, (counts.get(note) ?? 0) + 1);
  return [...counts.values()];
}

function partition<T>(values: readonly T[], test: (value: T) => boolean): [matching: T[], others: T[]] {
  return [values.filter(test), values.filter((value) => !test(value))];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
