import type { ReceiptStore } from '@holdfast/receipts';
import { openRedisReceiptStore, type RedisClientLike } from '@holdfast/receipts-redis';
import { Cluster, Redis } from 'ioredis';
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis-5';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import {
  createClient as createClient5,
  createCluster as createCluster5,
  createClientPool as createPool5,
} from 'redis-5';
import { expectTypeOf } from 'vitest';

expectTypeOf(openRedisReceiptStore(new Redis())).toEqualTypeOf<Promise<ReceiptStore>>();
expectTypeOf(new Redis5()).toExtend<RedisClientLike>();
expectTypeOf(new Cluster([])).toExtend<RedisClientLike>();
expectTypeOf(new Cluster5([])).toExtend<RedisClientLike>();
expectTypeOf(createClient()).toExtend<RedisClientLike>();
expectTypeOf(createClient({ RESP: 2 })).toExtend<RedisClientLike>();
expectTypeOf(createClientPool()).toExtend<RedisClientLike>();
expectTypeOf(createCluster({ rootNodes: [] })).toExtend<RedisClientLike>();
expectTypeOf(createClient5()).toExtend<RedisClientLike>();
expectTypeOf(createClient5({ RESP: 3 })).toExtend<RedisClientLike>();
expectTypeOf(createPool5()).toExtend<RedisClientLike>();
expectTypeOf(createCluster5({ rootNodes: [] })).toExtend<RedisClientLike>();
openRedisReceiptStore(new Redis(), { prefix: 'mine', timeoutMs: 1, durability: 'B', assumeNoEviction: true });
// @ts-expect-error a URL is not a client
openRedisReceiptStore('redis://127.0.0.1');
// @ts-expect-error a sentinel of node-redis sends by other arguments
openRedisReceiptStore(createSentinel({ name: 'main', sentinelRootNodes: [] }));
