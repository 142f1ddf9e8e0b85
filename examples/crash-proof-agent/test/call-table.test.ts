import { describe, expect, it } from 'vitest';
import { killPlan, type PlannedKill } from '../src/kill-plan.js';
import { CallTable } from '../src/supervisor/call-table.js';

const [kill] = killPlan(true) as [PlannedKill];

function table() {
  let seconds = 0;
  return new CallTable(
    () => seconds++,
    (tool, about) => `${tool}/${about}`,
  );
}

describe('CallTable', () => {
  it('keeps one row for a call from its first sign to its decision', () => {
    const calls = table();
    calls.update(1, 11, { kind: 'call', tool: 'send_email', state: 'streaming' });
    calls.update(1, 11, { kind: 'call', tool: 'send_email', state: 'running', about: 'a@b' });
    calls.update(1, 11, { kind: 'call', tool: 'send_email', state: 'waiting', note: 'for a lease' });
    calls.update(1, 11, { kind: 'call', tool: 'send_email', state: 'executed' });
    expect(calls.rows).toEqual([
      {
        startedAt: 0,
        changedAt: 4,
        worker: 1,
        pid: 11,
        tool: 'send_email',
        about: 'a@b',
        callId: '',
        state: 'executed',
        note: 'waited 1.0 s',
        outside: 'send_email/a@b',
        kill: undefined,
      },
    ]);
  });

  it('opens a new row after a decision, and for another process', () => {
    const calls = table();
    calls.update(1, 11, { kind: 'call', tool: 'send_email', state: 'refused' });
    calls.update(1, 11, { kind: 'call', tool: 'send_email', state: 'running' });
    calls.update(2, 12, { kind: 'call', tool: 'send_email', state: 'running' });
    expect(calls.rows.map(({ worker, state }) => [worker, state])).toEqual([
      [1, 'refused'],
      [1, 'running'],
      [2, 'running'],
    ]);
  });

  it('notices that a replayed call came under a new id', () => {
    const calls = table();
    const call = { kind: 'call', tool: 'send_email', about: 'a@b' } as const;
    calls.update(1, 11, { ...call, state: 'executed', callId: 'one' });
    expect(calls.update(1, 11, { ...call, state: 'replayed', callId: 'one', note: 'recorded' }).note).toBe('recorded');
    const replayed = calls.update(2, 12, { ...call, state: 'replayed', callId: 'two', note: 'recorded' });
    expect(replayed.note).toBe('recorded, new call id');
  });

  it('marks the open call of a killed process as killed', () => {
    const calls = table();
    calls.update(1, 11, { kind: 'call', tool: 'read_file', state: 'executed' });
    calls.update(1, 11, { kind: 'call', tool: 'write_report', state: 'running' });
    expect(calls.kill(1, 11, kill)).toMatchObject({ tool: 'write_report', state: 'killed', kill });
  });

  it('keeps the decision of a call that was through, and invents no call', () => {
    const calls = table();
    calls.update(1, 11, { kind: 'call', tool: 'send_email', state: 'reconciled' });
    expect(calls.kill(1, 11, kill)).toMatchObject({ tool: 'send_email', state: 'reconciled', kill });
    expect(calls.kill(2, 12, kill)).toMatchObject({ worker: 2, tool: 'start', state: 'killed', kill });
  });
});
