/** Rows, outcomes and inputs for tests of what is shown. */
import type { InputFile } from '../../src/input-file.js';
import type { CallRow } from '../../src/supervisor/call-table.js';

export function row(fields: Partial<CallRow> = {}): CallRow {
  return {
    startedAt: 1.23,
    changedAt: 1.23,
    worker: 1,
    pid: 4711,
    tool: 'send_email',
    about: 'team@example.com',
    callId: '',
    state: 'executed',
    note: '',
    outside: '1',
    kill: undefined,
    ...fields,
  };
}

export const input: InputFile = {
  path: '/texts/notes.md',
  name: 'notes.md',
  bytes: 4,
  text: 'abcd',
  // printf abcd | sha256sum
  sha256: '88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589',
};
