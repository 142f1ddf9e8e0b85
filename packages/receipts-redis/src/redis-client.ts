/** The part of a Redis client that the store uses; ioredis and node-redis fit as they are. */

/** A `Redis` or a `Cluster` of ioredis 5 or 6. */
export interface IoredisLike {
  call(command: string, args: string[]): Promise<unknown>;
  /** Present on a cluster. */
  nodes?(role: 'master'): IoredisLike[];
}

/** A client or a pool of node-redis 5 or 6 (the package `redis`). */
export interface NodeRedisLike {
  /** Whether a command would be sent at once. */
  readonly isReady?: boolean;
  sendCommand(args: string[], options?: object): Promise<unknown>;
}

/** A cluster of node-redis 5 or 6 (the package `redis`). */
export interface NodeRedisClusterLike {
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
    options?: object,
  ): Promise<unknown>;
  readonly masters: readonly unknown[];
  nodeClient(node: never): Promise<NodeRedisLike>;
}

/** What {@link openRedisReceiptStore} accepts. */
export type RedisClientLike = IoredisLike | NodeRedisLike | NodeRedisClusterLike;
