/**
 * The outside world: a mail server and a publisher behind one small HTTP interface. It believes everything that it
 * is told and deduplicates nothing; what arrives twice has happened twice. Like many real providers it can be asked
 * whether something with a given idempotency key has arrived.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, type RunningServer, readJson, sendJson } from './http.js';

export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly idempotencyKey?: string;
}

export interface ReportPart {
  readonly title: string;
  /** Counted from 1. */
  readonly part: number;
  readonly of: number;
  readonly text: string;
  readonly idempotencyKey?: string;
}

export interface OutsideWorld extends RunningServer {
  /** Everything that arrived, in order, repeats included. */
  readonly emails: readonly Email[];
  readonly parts: readonly ReportPart[];
}

/** Starts the outside world on a free local port. Each arrival is also a line in `logFile`. */
export async function startOutsideWorld(logFile: string): Promise<OutsideWorld> {
  const emails: Email[] = [];
  const parts: ReportPart[] = [];
  const keys = new Set<string>();

  function arrive<T extends { readonly idempotencyKey?: string }>(list: T[], what: string, thing: T): void {
    list.push(thing);
    if (thing.idempotencyKey !== undefined) keys.add(thing.idempotencyKey);
    appendFileSync(logFile, `${JSON.stringify({ what, ...thing })}\n`);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://world');
    const route = `${request.method} ${url.pathname}`;
    if (route === 'GET /arrived')
      return sendJson(response, 200, { arrived: keys.has(url.searchParams.get('key') ?? '') });
    if (route === 'POST /emails') {
      arrive(emails, 'email', (await readJson(request)) as Email);
      return sendJson(response, 202, { id: `email-${emails.length}` });
    }
    if (route === 'POST /report-parts') {
      arrive(parts, 'report-part', (await readJson(request)) as ReportPart);
      return sendJson(response, 201, { id: `part-${parts.length}` });
    }
    sendJson(response, 404, { error: `nothing at ${route}` });
  }

  const server = await listen(createServer(), answer);
  return { ...server, emails, parts };
}
