/** Clients that look at commands on their way, and a server clock that stands still until it is moved. */

import type { RedisClientLike } from '@holdfast/receipts-redis';

type Send = (command: string, args: string[]) => Promise<unknown>;
type Intercept = (command: string, args: string[], send: Send) => Promise<unknown>;
type Raw = {
  call?(command: string, args: string[]): Promise<unknown>;
  sendCommand(args: string[], options?: object): Promise<unknown>;
};

/** The same kind of client as `client`, with every command of the store going through `intercept`. */
export function intercepted(client: RedisClientLike, intercept: Intercept): RedisClientLike {
  const raw = client as Raw;
  if (raw.call) return { call: (command, args) => intercept(command, args, (...sent) => raw.call?.(...sent) as never) };
  return {
    sendCommand([command, ...args]: string[], options?: object) {
      return intercept(command as string, args, (name, rest) => raw.sendCommand([name, ...rest], options));
    },
  };
}

/** A client that counts the commands sent, which are the round trips, by name. */
export function counting(client: RedisClientLike) {
  let counts: Record<string, number> = {};
  const counted = intercepted(client, (command, args, send) => {
    counts[command] = (counts[command] ?? 0) + 1;
    return send(command, args);
  });
  /** What was sent since the last call. */
  const takeCounts = () => {
    const taken = counts;
    counts = {};
    return taken;
  };
  return { client: counted, takeCounts };
}

/** A client whose scripts read the time from a key of Redis instead of from the server. */
export function withStillClock(client: RedisClientLike, clockKey: string, start = 5_000) {
  let now = start;
  const time = `redis.call('HMGET', '${clockKey}', 'seconds', 'microseconds')`;
  const still = intercepted(client, (command, [script, ...args], send) => {
    if (command === 'EVALSHA') return Promise.reject(new Error('NOSCRIPT the text is needed'));
    return send(
      command,
      command === 'EVAL'
        ? [script?.replaceAll("redis.call('TIME')", time) as string, ...args]
        : [script as string, ...args],
    );
  });
  const advance = async (ms: number) => {
    now += ms;
    const [seconds, microseconds] = [Math.floor(now / 1_000), (now % 1_000) * 1_000].map(String) as [string, string];
    await sending(client)('HSET', [clockKey, 'seconds', seconds, 'microseconds', microseconds]);
  };
  return { client: still, advance, now: () => now };
}

/** Sends a command past the store. */
export function sending(client: RedisClientLike): Send {
  const raw = client as Raw;
  return (command, args) => raw.call?.(command, args) ?? raw.sendCommand([command, ...args]);
}
