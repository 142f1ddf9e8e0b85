/** Receipts in Redis, on one server or a cluster. */

import { openRedisReceiptStore } from '@holdfast/receipts-redis';
import { Cluster, Redis } from 'ioredis';
import { type Connection, type ConnectOptions, clockFinding, type Finding, TIMEOUT_MS } from '../connection.js';

/** Fails at once instead of waiting for a server that is not there. */
const IMPATIENT = { lazyConnect: true, enableOfflineQueue: false, connectTimeout: TIMEOUT_MS } as const;

export async function connectRedis(url: string, { prefix }: ConnectOptions): Promise<Connection> {
  const first = await connected(url);
  const clustered = /^cluster_enabled:1/m.test(await first.info('cluster').catch(() => ''));
  const client = clustered ? await connectedCluster(first).finally(() => first.disconnect()) : first;
  return {
    // Taken for the least: looking at a server that evicts, or hides its settings, is what people come for, and nothing
    // that a command does depends on them. A doctor reports them.
    open: () =>
      openRedisReceiptStore(client, {
        migrations: 'check',
        timeoutMs: TIMEOUT_MS,
        durability: 'C',
        assumeNoEviction: true,
        ...(prefix !== undefined && { prefix }),
      }),
    inspect: async () => {
      const servers = client instanceof Cluster ? client.nodes('master') : [client];
      const findings = await Promise.all(servers.map(inspect));
      if (servers.length === 1) return findings.flat();
      return findings.flatMap((each, index) =>
        each.map((finding) => ({ ...finding, topic: `${finding.topic} ${index + 1}` })),
      );
    },
    close: async () => {
      client.disconnect();
    },
  };
}

async function connected(url: string): Promise<Redis> {
  const client = new Redis(url, { ...IMPATIENT, maxRetriesPerRequest: 0, retryStrategy: () => null });
  let cause: unknown;
  client.on('error', (error) => {
    cause = error;
  });
  try {
    await client.connect();
    // A wrong password shows with the first command; that there is no such database, only when it is asked for again, and
    // ioredis goes on in database 0.
    await client.ping();
    const { db = 0 } = client.options;
    if (db !== 0) await client.select(db);
  } catch (error) {
    client.disconnect();
    throw cause ?? error;
  }
  return client;
}

async function connectedCluster(node: Redis): Promise<Cluster> {
  const { host = '127.0.0.1', port = 6379, username, password, tls } = node.options;
  const redisOptions = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls }),
  };
  const cluster = new Cluster([{ host, port }], { lazyConnect: true, clusterRetryStrategy: () => null, redisOptions });
  cluster.on('error', () => {});
  // ioredis waits without end for a cluster that has lost some of its slots.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The cluster does not become ready: see CLUSTER INFO.')), TIMEOUT_MS);
  });
  try {
    await Promise.race([cluster.connect(), late]);
    return cluster;
  } catch (error) {
    cluster.disconnect();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The scripts of the store ask for the time, so no worker can do without it. */
const HIDDEN_CLOCK: Finding = {
  level: 'problem',
  topic: 'clock',
  text: 'this user may not run TIME, on which leases run',
  advice: 'Let it; the workers need to.',
};

async function inspect(server: Redis): Promise<readonly Finding[]> {
  const before = Date.now();
  const time = await server.time().catch(() => undefined);
  const after = Date.now();
  const setting = (name: string) =>
    server.config('GET', name).then(
      (reply) => (reply as string[])[1],
      () => undefined,
    );
  const [text, fsync, pauses] = await Promise.all([
    server.info().catch(() => ''),
    setting('appendfsync'),
    setting('no-appendfsync-on-rewrite'),
  ]);
  const info = new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  const clock =
    time === undefined ? HIDDEN_CLOCK : clockFinding(Number(time[0]) * 1_000 + Number(time[1]) / 1_000, before, after);
  return [
    serverFinding(info),
    durabilityFinding(info, fsync, pauses),
    evictionFinding(info),
    ...stateFindings(info),
    clock,
  ];
}

type Info = ReadonlyMap<string, string>;

function serverFinding(info: Info): Finding {
  const version = info.get('redis_version');
  if (version === undefined) {
    return {
      level: 'warning',
      topic: 'server',
      text: 'it does not tell its settings',
      advice: 'Let the user run INFO, to have the settings looked at.',
    };
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 6 || (major === 6 && minor >= 2)) return { level: 'ok', topic: 'server', text: `Redis ${version}` };
  return {
    level: 'problem',
    topic: 'server',
    text: `Redis ${version} is older than 6.2`,
    advice: 'Upgrade the server.',
  };
}

function durabilityFinding(info: Info, fsync: string | undefined, pauses: string | undefined): Finding {
  const topic = 'durability';
  if (info.get('aof_last_write_status') === 'err') {
    return { level: 'problem', topic, text: 'the append-only file cannot be written', advice: 'Look at the disk.' };
  }
  const appends = info.get('aof_enabled') === '1';
  if (appends && fsync === 'always' && pauses === 'no') {
    return { level: 'ok', topic, text: 'class B: a crash loses no answered write; a failover may' };
  }
  const setting = fsync === 'always' ? `no-appendfsync-on-rewrite is ${pauses}` : `appendfsync is ${fsync ?? 'hidden'}`;
  const how = appends ? setting : 'appendonly is off';
  return {
    level: 'warning',
    topic,
    text: `class C: ${how}, so a crash may take receipts whose effects have happened`,
    advice:
      'Set appendonly yes, appendfsync always and no-appendfsync-on-rewrite no, or keep what must not happen twice in ' +
      'PostgreSQL.',
  };
}

function evictionFinding(info: Info): Finding {
  const topic = 'eviction';
  const [policy, limit, used] = ['maxmemory_policy', 'maxmemory', 'used_memory'].map((name) => info.get(name));
  if (limit === undefined) return { level: 'note', topic, text: 'the server does not tell its maxmemory-policy' };
  if (limit === '0') return { level: 'ok', topic, text: 'no memory limit' };
  if (policy !== 'noeviction') {
    return {
      level: 'problem',
      topic,
      text: `maxmemory-policy is ${policy}: Redis forgets receipts when its memory is full`,
      advice: 'Set maxmemory-policy noeviction.',
    };
  }
  if (Number(used) < 0.9 * Number(limit)) return { level: 'ok', topic, text: 'noeviction, with memory left' };
  return {
    level: 'warning',
    topic,
    text: 'more than nine tenths of maxmemory are used, and at the limit no call can be claimed',
    advice: 'Run receipts gc, or raise maxmemory.',
  };
}

function stateFindings(info: Info): readonly Finding[] {
  const topic = 'replication';
  if (info.get('role') === 'slave') {
    return [{ level: 'problem', topic, text: 'this server is a replica', advice: 'Connect to the master.' }];
  }
  if (Number(info.get('connected_slaves') ?? 0) === 0) return [];
  const text = 'replication is asynchronous: a failover may lose answered writes';
  return [{ level: 'note', topic, text, advice: 'Narrow the gap with min-replicas-to-write.' }];
}
