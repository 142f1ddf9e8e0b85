/** Running scripts by their hash, and by their text where the server has forgotten them. */

import { createHash } from 'node:crypto';
import type { Connection } from './connection.js';
import { RedisTimeoutError } from './redis-errors.js';

/** A script with the hash by which Redis knows it. */
export interface Script {
  readonly text: string;
  readonly hash: string;
}

export function scriptOf(text: string): Script {
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}

export class ScriptRunner {
  readonly #connection: Connection;
  readonly #timeoutMs: number;

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs a script on keys of one slot: one round trip, and a second one on a server that does not know the script yet, as
   * after a restart, a failover or SCRIPT FLUSH.
   *
   * @throws {RedisTimeoutError} `ERR_HOLDFAST_REDIS_TIMEOUT`
   */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const key = keys[0] as string;
    const rest = [String(keys.length), ...keys, ...args];
    return inTime(this.#timeoutMs, (resolve, reject, isLate) => {
      this.#connection.send(key, 'EVALSHA', [script.hash, ...rest]).then(resolve, (error: unknown) => {
        // Sent after the time, it would run for nobody.
        if (!isUnknownScript(error) || isLate()) return reject(error);
        return this.#connection.send(key, 'EVAL', [script.text, ...rest]).then(resolve, reject);
      });
    });
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** Settles as `work` says, or rejects after the time: clients keep commands back while they reconnect. */
export function inTime<T>(
  timeoutMs: number,
  work: (resolve: (value: T) => void, reject: (error: unknown) => void, isLate: () => boolean) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new RedisTimeoutError(timeoutMs));
    }, timeoutMs);
    const settling =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    work(settling(resolve), settling(reject), () => late);
  });
}
