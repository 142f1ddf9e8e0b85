/** From the command line to an exit code. */

import { HoldfastError } from '@holdfast/kernel';
import { type Arguments, type CommandName, HELP, isCommand, readArguments } from './arguments.js';
import { doctor } from './commands/doctor.js';
import { gc } from './commands/gc.js';
import { list } from './commands/list.js';
import { resolve } from './commands/resolve.js';
import { show } from './commands/show.js';
import type { Connection } from './connection.js';
import { CommandError, EXIT, type ExitCode, messageOf, usageError } from './exit.js';
import { output } from './output.js';
import { parseLocation, type StoreLocation, withoutSecrets } from './store-location.js';
import { visible } from './visible.js';

const COMMANDS = { list, show, resolve, gc } as const;

/** Runs one command and says how it ended. Never rejects, and prints no stack. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  let secrets: readonly string[] = [];
  try {
    const [name, ...rest] = args;
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      output.print(HELP);
      return name === undefined ? EXIT.usage : EXIT.ok;
    }
    if (!isCommand(name)) throw usageError(`There is no command ${visible(name)}. receipts --help shows them.`);
    const given = readArguments(name, rest);
    if (given.flag('help')) {
      output.print(HELP);
      return EXIT.ok;
    }
    const location = parseLocation(given.text('store') ?? process.env.HOLDFAST_RECEIPTS_STORE);
    secrets = location.secrets;
    return await runOn(location, name, given);
  } catch (error) {
    output.say(`receipts: ${visible(withoutSecrets(messageOf(error), secrets))}\n`);
    if (error instanceof CommandError) return error.exitCode;
    return HoldfastError.isInstance(error) && error.code === 'ERR_HOLDFAST_RECEIPT_OPTION'
      ? EXIT.usage
      : EXIT.unavailable;
  }
}

async function runOn(location: StoreLocation, name: CommandName, args: Arguments): Promise<ExitCode> {
  const writes = name === 'resolve' || (name === 'gc' && !args.flag('dry-run'));
  const access = writes ? 'write' : 'read';
  const connection = await connect(location, args, access);
  try {
    if (name === 'doctor') return await doctor(connection, args);
    return await COMMANDS[name](await connection.open(), args);
  } finally {
    await connection.close();
  }
}

async function connect(location: StoreLocation, args: Arguments, access: 'read' | 'write'): Promise<Connection> {
  const options = { schema: args.text('schema'), prefix: args.text('prefix'), access };
  if (options.schema !== undefined && location.kind !== 'postgres') throw usageError('Only PostgreSQL has a --schema.');
  if (options.prefix !== undefined && location.kind !== 'redis') throw usageError('Only Redis has a --prefix.');
  try {
    // Each driver is loaded only where it is needed.
    switch (location.kind) {
      case 'postgres':
        return await (await import('./stores/postgres.js')).connectPostgres(location.address, options);
      case 'redis':
        return await (await import('./stores/redis.js')).connectRedis(location.address, options);
      case 'sqlite':
        return await (await import('./stores/sqlite.js')).connectSqlite(location.address, options);
    }
  } catch (error) {
    const why = withoutSecrets(messageOf(error), location.secrets);
    throw new CommandError(EXIT.unavailable, `The store ${location.name} cannot be opened. ${why}`);
  }
}
