/** Receipts in a SQLite file. */

import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openSqliteReceiptStore, type SqliteDatabaseLike } from '@holdfast/receipts-sqlite';
import type { Connection, ConnectOptions, Finding } from '../connection.js';
import { CommandError, EXIT } from '../exit.js';

interface Database extends SqliteDatabaseLike {
  close(): void;
}

export async function connectSqlite(path: string, { access }: ConnectOptions): Promise<Connection> {
  const file = resolve(path);
  // Opening a path that is not there would create it.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CommandError(EXIT.unavailable, `There is no file ${file}.`);
  }
  const database = await openDatabase(file);
  try {
    // Opening reads nothing: that a file is no database shows here.
    database.prepare('PRAGMA schema_version').get();
  } catch (error) {
    database.close();
    throw error;
  }
  if (access === 'read') database.exec('PRAGMA query_only = ON');
  return {
    open: async () => openSqliteReceiptStore(database, { migrations: 'check' }),
    inspect: async () => inspect(database, file),
    close: async () => database.close(),
  };
}

/** libsql comes with its binaries for most machines; node:sqlite is in Node from version 22 on. */
async function openDatabase(file: string): Promise<Database> {
  try {
    const { default: Libsql } = await import('libsql');
    return new Libsql(file) as Database;
  } catch (error) {
    const builtin = process.getBuiltinModule?.('node:sqlite') as
      | { readonly DatabaseSync: new (path: string) => Database }
      | undefined;
    if (builtin === undefined) throw error;
    return new builtin.DatabaseSync(file);
  }
}

function inspect(database: Database, file: string): readonly Finding[] {
  const { journal_mode: mode } = database.prepare('PRAGMA journal_mode').get() as { readonly journal_mode: unknown };
  const findings: Finding[] = [
    mode === 'wal'
      ? { level: 'ok', topic: 'journal_mode', text: 'wal' }
      : {
          level: 'problem',
          topic: 'journal_mode',
          text: `${String(mode)}: readers and writers block one another, and workers refuse the file`,
          advice: 'Open the store once for writing, with no other connection in a transaction; it switches to wal.',
        },
    {
      level: 'note',
      topic: 'durability',
      text: 'class A unless a worker opens the file with durability B, which the file does not tell',
    },
    { level: 'ok', topic: 'clock', text: 'the file is used on one machine, and leases run on its boot clock' },
  ];
  if (!isWritable(file) || !isWritable(dirname(file))) {
    findings.push({
      level: 'warning',
      topic: 'access',
      text: 'you may not write this file or its folder',
      advice: 'resolve and gc need to; so do the workers.',
    });
  }
  return findings;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
