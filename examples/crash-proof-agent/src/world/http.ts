/** The little HTTP that both local servers need. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/** Listens on a free port of the loopback interface and answers with `answer`. */
export async function listen(
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<RunningServer> {
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A client that was killed in the middle of its request is an ordinary guest here.
      if (response.headersSent || response.destroyed) response.destroy();
      else sendJson(response, 500, { error: String(error) });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
