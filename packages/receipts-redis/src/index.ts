/** The face of `@holdfast/receipts-redis`. */

export { HoldfastError } from '@holdfast/kernel';
export { openRedisReceiptStore, type RedisReceiptStoreOptions } from './open-redis-receipt-store.js';
export type { IoredisLike, NodeRedisClusterLike, NodeRedisLike, RedisClientLike } from './redis-client.js';
export { RedisEvictionError, RedisReplyError, RedisSchemaError, RedisTimeoutError } from './redis-errors.js';
