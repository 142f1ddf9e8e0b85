/** The outside world: a mail server that believes everything, deduplicates nothing, and counts. */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OutsideWorld {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** How many e-mails have arrived for this address, repeats included. */
  emailsTo(address: string): number;
  close(): Promise<void>;
}

/** The mail server as a worker sees it. */
export interface Mailer {
  /** Sends an e-mail and returns its id. */
  send(to: string, subject: string, idempotencyKey?: string): Promise<string>;
  /** The id of the e-mail that was sent with this idempotency key. Many real providers can be asked so. */
  find(idempotencyKey: string): Promise<string | undefined>;
}

interface Email {
  readonly to: string;
  readonly subject: string;
  readonly idempotencyKey?: string;
}

/** Starts the mail server on a free port of the loopback interface. */
export async function startOutsideWorld(): Promise<OutsideWorld> {
  const emails: Email[] = [];
  const server = createServer(async (request, response) => {
    const key = new URL(request.url ?? '/', 'http://world').searchParams.get('key');
    // A client that is killed in the middle of its request is an ordinary guest here.
    const place = key === null ? await arrived(emails, request).catch(() => -1) : placeOf(emails, key);
    response.end(JSON.stringify(place < 0 ? {} : { id: `email-${place + 1}` }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    emailsTo: (address) => emails.filter(({ to }) => to === address).length,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The mail server at `url`. */
export function connectMailer(url: string): Mailer {
  const ask = async (path: string, init?: { readonly method: string; readonly body: string }) => {
    const response = await fetch(url + path, init);
    return ((await response.json()) as { readonly id?: string }).id;
  };
  return {
    async send(to, subject, idempotencyKey) {
      const email: Email = { to, subject, ...(idempotencyKey !== undefined && { idempotencyKey }) };
      const id = await ask('/', { method: 'POST', body: JSON.stringify(email) });
      if (id === undefined) throw new Error('The mail server took no e-mail.');
      return id;
    },
    find: (idempotencyKey) => ask(`/?key=${encodeURIComponent(idempotencyKey)}`),
  };
}

async function arrived(emails: Email[], request: IncomingMessage): Promise<number> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  return emails.push(JSON.parse(body) as Email) - 1;
}

function placeOf(emails: readonly Email[], key: string): number {
  return emails.findIndex(({ idempotencyKey }) => idempotencyKey === key);
}
