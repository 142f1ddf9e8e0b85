/** Where the servers of the tests are, and what happens when one does not answer. */

import { createConnection } from 'node:net';

export const POSTGRES_URL: string = process.env.HOLDFAST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
export const REDIS_URL: string = process.env.HOLDFAST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/**
 * Whether the server at `url` accepts connections. Without one, tests are skipped with a warning on a person's machine;
 * in CI its absence is a failure, so a run that skipped them cannot pass.
 */
export async function serverAnswers(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const answers = await new Promise<boolean>((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) || (protocol === 'redis:' ? 6379 : 5432) });
    const settle = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.setTimeout(5_000, () => settle(false));
  });
  if (answers) return true;
  const variable = protocol === 'redis:' ? 'HOLDFAST_REDIS_URL' : 'HOLDFAST_POSTGRES_URL';
  const message = `No server answers at ${protocol}//${hostname}:${port}. Start one, or name another in ${variable}.`;
  if (process.env.CI) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return false;
}
