/** One way to talk to every client. */

import { ReceiptOptionError } from '@holdfast/receipts/store';
import type { IoredisLike, NodeRedisClusterLike, NodeRedisLike, RedisClientLike } from './redis-client.js';

/** Sends commands; `key` says to which node of a cluster they belong. */
export interface Connection {
  send(key: string, command: string, args: string[]): Promise<unknown>;
  /** The servers that write: one, or each master of a cluster. */
  servers(): Promise<readonly Connection[]>;
}

/** A host may have asked its client for Buffers; the store reads text. */
const AS_TEXT = { typeMapping: {} };

/**
 * Recognises the host's client by its calls.
 *
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for anything else.
 */
export function connectionOf(client: RedisClientLike): Connection {
  const given = (client ?? {}) as Partial<IoredisLike & NodeRedisClusterLike> & { readonly use?: unknown };
  if (typeof given.call === 'function') return ioredisConnection(client as IoredisLike);
  if (typeof given.nodeClient === 'function') return nodeRedisClusterConnection(client as NodeRedisClusterLike);
  // A sentinel of node-redis sends by other arguments, and tells itself apart by lending its client.
  if (typeof given.sendCommand === 'function' && typeof given.use !== 'function') {
    return nodeRedisConnection(client as NodeRedisLike);
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

function nodeRedisConnection(client: NodeRedisLike): Connection {
  const connection: Connection = {
    send: (_, command, args) => client.sendCommand([command, ...args], AS_TEXT),
    servers: async () => [connection],
  };
  return connection;
}

function nodeRedisClusterConnection(cluster: NodeRedisClusterLike): Connection {
  return {
    send: (key, command, args) => cluster.sendCommand(key, false, [command, ...args], AS_TEXT),
    servers: () =>
      Promise.all(cluster.masters.map(async (node) => nodeRedisConnection(await cluster.nodeClient(node as never)))),
  };
}
