/** One way to talk to every client. */

import { ReceiptOptionError } from '@holdfast/receipts/store';
import type { IoredisLike, NodeRedisClusterLike, NodeRedisLike, RedisClientLike } from './redis-client.js';

/** Sends commands; `key` says to which node of a cluster they belong. */
export interface Connection {
  send(key: string, command: string, args: string[]): Promise<unknown>;
  /** The servers that write: one, or each master of a cluster. */
  servers(): Promise<readonly Connection[]>;
}

/** How node-redis shall treat a command. */
interface CommandOptions {
  /** A host may have asked its client for Buffers; the store reads text. */
  readonly typeMapping: object;
  /** For how long a command may wait to be sent: later it would run for nobody. */
  readonly timeout: number;
}

/**
 * Recognises the host's client by its calls.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for anything else.
 */
export function connectionOf(client: RedisClientLike, timeoutMs: number): Connection {
  const options = { typeMapping: {}, timeout: timeoutMs };
  const given = (client ?? {}) as Partial<IoredisLike & NodeRedisClusterLike> & { readonly use?: unknown };
  if (typeof given.call === 'function') return ioredisConnection(client as IoredisLike);
  if (typeof given.nodeClient === 'function') {
    return nodeRedisClusterConnection(client as NodeRedisClusterLike, options);
  }
  // A sentinel of node-redis sends by other arguments, and tells itself apart by lending its client.
  if (typeof given.sendCommand === 'function' && typeof given.use !== 'function') {
    return nodeRedisConnection(client as NodeRedisLike, options);
  }
  throw new ReceiptOptionError('client', client, 'a client of ioredis or node-redis: single, pooled or a cluster');
}

function ioredisConnection(client: IoredisLike): Connection {
  const connection: Connection = {
    send: (_, command, args) => client.call(command, args),
    servers: async () => client.nodes?.('master').map(ioredisConnection) ?? [connection],
  };
  return connection;
}

function nodeRedisConnection(client: NodeRedisLike, options: CommandOptions): Connection {
  // Nothing waits while the connection stands, and the timer would cost more than the rest of the command.
  const unhurried = { ...options, timeout: 0 };
  const connection: Connection = {
    send: (_, command, args) => client.sendCommand([command, ...args], client.isReady ? unhurried : options),
    servers: async () => [connection],
  };
  return connection;
}

function nodeRedisClusterConnection(cluster: NodeRedisClusterLike, options: CommandOptions): Connection {
  return {
    send: (key, command, args) => cluster.sendCommand(key, false, [command, ...args], options),
    servers: () =>
      // A node comes from the cluster's own list: its type is no concern of this one.
      Promise.all(
        cluster.masters.map(async (node) => nodeRedisConnection(await cluster.nodeClient(node as never), options)),
      ),
  };
}
