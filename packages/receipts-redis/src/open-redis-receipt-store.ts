/** Opening a store on the host's client. */

import type { DurabilityClass, ReceiptStore } from '@holdfast/receipts';
import { ReceiptOptionError } from '@holdfast/receipts/store';
import { type Connection, connectionOf } from './connection.js';
import { schemaName } from './key-names.js';
import type { RedisClientLike } from './redis-client.js';
import { RedisReplyError, RedisSchemaError } from './redis-errors.js';
import { RedisReceiptStore } from './redis-receipt-store.js';
import { SCHEMA_VERSION, textOf } from './replies.js';
import { inTime, ScriptRunner, scriptOf } from './script-runner.js';
import { durabilityOf, refuseEviction } from './server-settings.js';

/** Options of {@link openRedisReceiptStore}. */
export interface RedisReceiptStoreOptions {
  /** What all keys of the store begin with: up to 100 characters without blanks and braces. Default `holdfast:receipts`. */
  readonly prefix?: string;
  /**
   * `'apply'` (default) marks a new prefix with the version of the stored format. `'check'` writes nothing, and refuses a
   * prefix that no store has marked.
   */
  readonly migrations?: 'apply' | 'check';
  /** Longest wait for an answer of Redis, default 5,000 ms. The verb then rejects and may still be applied. */
  readonly timeoutMs?: number;
  /**
   * What a write survives, in place of what the server's settings say: for servers that hide them, or that do more than
   * plain Redis does. Default: `B` with an append-only file synced on every write, rewrites
   * included, `C` otherwise.
   */
  readonly durability?: DurabilityClass;
  /** The host's word that `maxmemory-policy` is `noeviction`, for servers that do not tell. Default `false`. */
  readonly assumeNoEviction?: boolean;
}

/**
 * Opens the store on a client of ioredis or node-redis, single or a cluster, that the host has connected and that it
 * closes. Asks every master for its settings, and marks the prefix with the version of the stored format.
 *
 * @throws {RedisEvictionError} `ERR_HOLDFAST_REDIS_EVICTION` for a server that may evict receipts, or does not tell.
 * @throws {RedisSchemaError} `ERR_HOLDFAST_REDIS_SCHEMA` for receipts of a newer version, or with `migrations: 'check'`
 * for a prefix without receipts.
 * @throws {RedisTimeoutError} `ERR_HOLDFAST_REDIS_TIMEOUT` when Redis does not answer in time.
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for an unusable client or option.
 */
export async function openRedisReceiptStore(
  client: RedisClientLike,
  options: RedisReceiptStoreOptions = {},
): Promise<ReceiptStore> {
  const { prefix = 'holdfast:receipts', timeoutMs = 5_000, durability, assumeNoEviction = false } = options;
  const { migrations = 'apply' } = options;
  checkOptions(prefix, timeoutMs, durability, migrations);
  const connection = connectionOf(client, timeoutMs);
  const runner = new ScriptRunner(connection, timeoutMs);
  const reached = await inTime<DurabilityClass>(timeoutMs, (resolve, reject) => {
    checkServers(connection, prefix, durability, assumeNoEviction).then(resolve, reject);
  });
  await checkSchema(runner, prefix, migrations);
  return new RedisReceiptStore(runner, prefix, reached);
}

function checkOptions(
  prefix: string,
  timeoutMs: number,
  durability: DurabilityClass | undefined,
  migrations: 'apply' | 'check',
): void {
  // Braces would move the hash tag, and other characters would not survive every client.
  if (typeof prefix !== 'string' || !/^[^\s{}\p{Cc}\p{Cs}]{1,100}$/u.test(prefix)) {
    throw new ReceiptOptionError('prefix', prefix, '1 to 100 characters without blanks, braces and control characters');
  }
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 600_000) {
    throw new ReceiptOptionError('timeoutMs', timeoutMs, 'a whole number of milliseconds from 1 to 600,000');
  }
  if (durability !== undefined && !['A', 'B', 'C'].includes(durability)) {
    throw new ReceiptOptionError('durability', durability, "'A', 'B' or 'C'");
  }
  if (migrations !== 'apply' && migrations !== 'check') {
    throw new ReceiptOptionError('migrations', migrations, "'apply' or 'check'");
  }
}

/** A version is kept once per prefix; receipts of a format that this package cannot read also show themselves. */
const VERSION = {
  apply: scriptOf(`redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])`),
  check: scriptOf("return redis.call('GET', KEYS[1])"),
};

async function checkSchema(runner: ScriptRunner, prefix: string, migrations: 'apply' | 'check'): Promise<void> {
  const reply = await runner.run(VERSION[migrations], [schemaName(prefix)], [String(SCHEMA_VERSION)]);
  const found = reply === null ? undefined : textOf(reply);
  if (found !== String(SCHEMA_VERSION)) throw new RedisSchemaError(found, SCHEMA_VERSION);
}

/** The weakest master decides what a write survives. */
async function checkServers(
  connection: Connection,
  prefix: string,
  durability: DurabilityClass | undefined,
  assumeNoEviction: boolean,
): Promise<DurabilityClass> {
  // A client of a cluster knows its masters once it has had an answer.
  await connection.send(schemaName(prefix), 'EXISTS', [schemaName(prefix)]);
  const servers = await connection.servers();
  if (servers.length === 0) throw new RedisReplyError('the masters of its cluster');
  if (!assumeNoEviction) await Promise.all(servers.map(refuseEviction));
  if (durability !== undefined) return durability;
  const reached = await Promise.all(servers.map(durabilityOf));
  return reached.includes('C') ? 'C' : 'B';
}
