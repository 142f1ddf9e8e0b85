/** A TCP proxy that loses requests and answers. */

import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/**
 * What happens to one request. `before`: the connection ends and the server never sees it; `after`: the server has answered,
 * and the connection ends without the answer; `half`: with half of it; `silent`: the answer never comes, and nothing ends.
 */
export const CUTS = ['before', 'after', 'half', 'silent'] as const;
export type Cut = (typeof CUTS)[number];

export interface ProxyOptions {
  /** Where the real server is. */
  readonly host: string;
  readonly port: number;
  /** Whether bytes of a client are a request of the store, and not of a client that is connecting. */
  isRequest(bytes: Buffer): boolean;
  /** What becomes of the next request. */
  decide(): Cut | undefined;
}

export class FaultyProxy {
  readonly port: number;
  readonly cuts = new Map<Cut, number>(CUTS.map((cut) => [cut, 0]));
  /** Nothing is cut before. */
  armed = false;
  readonly #server: Server;
  readonly #options: ProxyOptions;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number, options: ProxyOptions) {
    this.#server = server;
    this.port = port;
    this.#options = options;
    server.on('connection', (client) => this.#connect(client));
  }

  static async start(options: ProxyOptions): Promise<FaultyProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyProxy(server, (server.address() as { port: number }).port, options);
  }

  get total(): number {
    return [...this.cuts.values()].reduce((sum, count) => sum + count, 0);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(client: Socket): void {
    const server = createConnection({ host: this.#options.host, port: this.#options.port, noDelay: true });
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    let due: Cut | undefined;
    client.on('data', (bytes) => {
      if (this.armed && due === undefined && this.#options.isRequest(bytes)) due = this.#options.decide();
      if (due === 'before') {
        this.#count(due);
        end();
      } else server.write(bytes);
    });
    let silent = false;
    server.on('data', (bytes) => {
      if (silent) return;
      if (due === undefined) {
        client.write(bytes);
        return;
      }
      // The bytes of the answer are here, so the server has committed.
      this.#count(due);
      if (due === 'silent') silent = true;
      else if (due === 'after') end();
      else client.write(bytes.subarray(0, bytes.length >> 1), end);
    });
  }

  #count(cut: Cut): void {
    this.cuts.set(cut, (this.cuts.get(cut) ?? 0) + 1);
  }
}
