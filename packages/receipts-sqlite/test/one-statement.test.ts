import { openSqliteReceiptStore } from '@holdfast/receipts-sqlite';
import { describe, expect, it } from 'vitest';
import { keyOf, request } from '../../receipts/test/support/claiming.js';
import { type Database, opened, openLibsql, temporaryFile } from './support/databases.js';

const KEY = keyOf('one');

/** A database that tells what is run on it. */
function watched(database: Database, onRun: (sql: string) => void): Database {
  return {
    get inTransaction() {
      return database.inTransaction === true;
    },
    exec: (sql) => {
      onRun(sql);
      return database.exec(sql);
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const tell =
        <Arguments extends unknown[], Answer>(run: (...values: Arguments) => Answer) =>
        (...values: Arguments) => {
          const answer = run(...values);
          onRun(sql);
          return answer;
        };
      return {
        get: tell((...values) => statement.get(...values)),
        all: tell((...values) => statement.all(...values)),
        run: tell((...values) => statement.run(...values)),
      };
    },
    close: () => database.close(),
  };
}

describe('a first claim and the end of an attempt', () => {
  it('are one write each, without a transaction around it', async () => {
    const seen: string[] = [];
    const store = openSqliteReceiptStore(watched(opened(openLibsql, temporaryFile()), (sql) => seen.push(sql)));
    seen.length = 0;
    await store.claim(KEY, request('a'));
    await store.complete(KEY, { attempt: 1, token: 'a' }, '"done"');
    expect(seen.map((sql) => sql.trimStart().slice(0, 6))).toEqual(['SELECT', 'INSERT', 'UPDATE']);
  });

  it('give way to a claim that another process makes between the look and the write', async () => {
    const path = temporaryFile();
    const other = openSqliteReceiptStore(opened(openLibsql, path));
    let meanwhile: Promise<unknown> | undefined;
    const store = openSqliteReceiptStore(
      watched(opened(openLibsql, path), (sql) => {
        // The verbs of the store run on the thread, so the other claim is in before the look returns.
        if (sql.startsWith('SELECT status')) meanwhile ??= other.claim(KEY, request('b'));
      }),
    );
    expect(await store.claim(KEY, request('a'))).toMatchObject({ kind: 'wait', attempt: 1 });
    expect(await meanwhile).toMatchObject({ kind: 'execute', attempt: 1 });
    expect(await store.complete(KEY, { attempt: 1, token: 'a' }, '"never"')).toEqual({ kind: 'fenced' });
    expect(await other.fail(KEY, { attempt: 1, token: 'b' }, { kind: 'clean', error: 'no' })).toEqual({ kind: 'ok' });
    expect(await other.fail(KEY, { attempt: 1, token: 'b' }, { kind: 'clean', error: 'no' })).toEqual({
      kind: 'already',
    });
  });
});

describe('a row that the driver names, and one that it gives as a list', () => {
  it('are read alike', async () => {
    const path = temporaryFile();
    let today = 0;
    const options = { calendar: () => today };
    const lists = openSqliteReceiptStore(opened(openLibsql, path), options);
    const names = openSqliteReceiptStore(
      watched(opened(openLibsql, path), () => undefined),
      options,
    );
    const claim = { attempt: 1, token: 'a' };
    for (const tool of ['completed', 'clean', 'unknown', 'terminal', 'again'])
      await lists.claim(keyOf(tool), request('a'));
    today = 7;
    await lists.complete(keyOf('completed'), claim, '"done"');
    for (const kind of ['clean', 'unknown', 'terminal'] as const)
      await names.fail(keyOf(kind), claim, { kind, error: kind });
    await lists.fail(keyOf('again'), claim, { kind: 'clean', error: 'once' });
    today = 9;
    for (const [tool, answer] of [
      ['completed', { kind: 'replay', result: '"done"' }],
      ['unknown', { kind: 'ambiguous', error: 'unknown' }],
      ['terminal', { kind: 'rejected', error: 'terminal' }],
    ] as const) {
      const outcome = await lists.claim(keyOf(tool), request('b'));
      expect(outcome).toMatchObject(answer);
      expect(await names.claim(keyOf(tool), request('b'))).toEqual(outcome);
    }
    // A grant after a failure counts its age from the first claim.
    expect(await lists.claim(keyOf('clean'), request('b'))).toMatchObject({ kind: 'execute', attempt: 2, ageMs: 9 });
    expect(await names.claim(keyOf('again'), request('b'))).toMatchObject({ kind: 'execute', attempt: 2, ageMs: 9 });
  });
});
