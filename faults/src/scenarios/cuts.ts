/** Connections are cut before requests, after commits and in the middle of answers, or fall silent. */

import { type Call, dealt } from '../calls.js';
import { CUTS, FaultyProxy } from '../proxy.js';
import { type Report, type Site, Stage, type StageOptions } from '../stage.js';
import type { Target } from '../stores.js';
import { exactlyOnce } from './exactly-once.js';

export interface CutsOptions extends StageOptions {
  readonly keys: number;
  readonly lanes: number;
  /** The share of requests that are struck. */
  readonly rate: number;
}

/** How long a worker waits for an answer that will not come. */
const TIMEOUT_MS = 500;

/** The first byte of what PostgreSQL's protocol calls Parse and Bind. */
const PARSE = 0x50;
const BIND = 0x42;

export function cuts(site: Site, options: CutsOptions): Promise<Report> {
  return Stage.run('connection cut', site, options, async (stage) => {
    const { hostname, port } = new URL(site.url as string);
    const proxy = await FaultyProxy.start({
      host: hostname,
      port: Number(port) || (site.kind === 'redis' ? 6379 : 5432),
      isRequest: (bytes) =>
        site.kind === 'redis' ? bytes.includes('EVALSHA') : bytes[0] === PARSE || bytes[0] === BIND,
      // An answer that never comes holds its worker up, so it is the rarest.
      decide: () => {
        if (stage.dice.next() >= options.rate) return undefined;
        return stage.dice.next() < 0.06 ? 'silent' : stage.dice.pick(CUTS.slice(0, 3));
      },
    });
    try {
      await runThrough(stage, proxy, options);
    } finally {
      proxy.close();
    }
    for (const [cut, count] of proxy.cuts) stage.fault(`cut ${cut}`, count);
    return (books) => exactlyOnce(books, { busy: true });
  });
}

async function runThrough(stage: Stage, proxy: FaultyProxy, { keys, lanes }: CutsOptions): Promise<void> {
  const names = Array.from({ length: keys }, (_, index) => `key-${index}`);
  const target = through(stage.target, proxy.port);
  const crews = await Promise.all([stage.crew(lanes, { target }), stage.crew(lanes, { target })]);
  proxy.armed = true;
  const orderOf = (): Call[][] =>
    dealt(
      names.map((key) => stage.call(key, 'opaque')),
      lanes,
    );
  await Promise.all(crews.map((crew) => crew.runs({ lanes: orderOf(), whenBusy: 'return' })));
  proxy.armed = false;
  // Were an answer ever taken for another call's, or a claim not found again, it shows once the leases are over.
  await stage.open.expireLeases();
  await Promise.all(crews.map((crew) => crew.runs({ lanes: orderOf(), whenBusy: 'return' })));
  await Promise.all(crews.map((crew) => crew.ends()));
}

function through(target: Target, port: number): Target {
  if (target.kind === 'sqlite') return target;
  const url = new URL(target.url);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { ...target, url: url.href, timeoutMs: TIMEOUT_MS };
}
