/** The clients that are tested, each as its users make it. */

import type { RedisClientLike } from '@holdfast/receipts-redis';
import { Cluster, Redis } from 'ioredis';
import { Redis as Ioredis5, Cluster as Ioredis5Cluster } from 'ioredis-5';
import { createClient, createCluster } from 'redis';
import { createClient as createClient5, createCluster as createCluster5 } from 'redis-5';

export interface OpenedClient {
  readonly client: RedisClientLike;
  close(): void | Promise<void>;
}

export type OpenClient = (url: string) => Promise<OpenedClient>;

/** Clients of one server, by name. */
export const CLIENTS: Readonly<Record<string, OpenClient>> = {
  'ioredis 6': async (url) => {
    const client = new Redis(url);
    return { client, close: () => client.disconnect() };
  },
  'ioredis 5': async (url) => {
    const client = new Ioredis5(url);
    return { client, close: () => client.disconnect() };
  },
  'node-redis 6': async (url) => {
    const client = await createClient({ url })
      .on('error', () => {})
      .connect();
    return { client, close: () => client.destroy() };
  },
  'node-redis 5': async (url) => {
    const client = await createClient5({ url })
      .on('error', () => {})
      .connect();
    return { client, close: () => client.destroy() };
  },
};

/** Clients of a cluster, by name. */
export const CLUSTER_CLIENTS: Readonly<Record<string, OpenClient>> = {
  'ioredis 6': async (url) => {
    const client = new Cluster([url]);
    return { client, close: () => client.disconnect() };
  },
  'ioredis 5': async (url) => {
    const client = new Ioredis5Cluster([url]);
    return { client, close: () => client.disconnect() };
  },
  'node-redis 6': async (url) => {
    const client = createCluster({ rootNodes: [{ url }] });
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  'node-redis 5': async (url) => {
    const client = createCluster5({ rootNodes: [{ url }] });
    await client.connect();
    return { client, close: () => client.destroy() };
  },
};
