/** The outside world as a worker sees it. */
import type { Email, ReportPart } from './outside-world.js';

export interface WorldClient {
  sendEmail(email: Email): Promise<{ readonly id: string }>;
  publishPart(part: ReportPart): Promise<{ readonly id: string }>;
  /** Whether something that carried this idempotency key has arrived. */
  hasArrived(idempotencyKey: string): Promise<boolean>;
}

export function connectWorld(url: string): WorldClient {
  async function call(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(url + path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The outside world answered ${response.status} to ${path}`);
    return response.json();
  }
  return {
    sendEmail: async (email) => (await call('/emails', email)) as { id: string },
    publishPart: async (part) => (await call('/report-parts', part)) as { id: string },
    hasArrived: async (key) =>
      ((await call(`/arrived?key=${encodeURIComponent(key)}`)) as { arrived: boolean }).arrived,
  };
}
