/** The demo's own middleware, the same for both agents: it tells of each call and stands still where it may be killed. */
import { createMiddleware } from 'langchain';
import { REPORT_PARTS } from './split-text.js';
import type { Stage } from './stage.js';

/**
 * Tells that a call begins, and stands still when the e-mail's call is through and its checkpoint is not written yet.
 * Has to be the outermost middleware.
 */
export function announceCalls(stage: Stage) {
  return createMiddleware({
    name: 'AnnounceCalls',
    async wrapToolCall(request, handler) {
      const { name, args, id } = request.toolCall;
      stage.call({ tool: name, about: aboutCall(name, args), state: 'running', ...(id && { callId: id }) });
      const result = await handler(request);
      if (name === 'send_email') await stage.at('email-before-checkpoint');
      return result;
    },
  });
}

/** What a call is about, in one short text. */
export function aboutCall(tool: string, args: Readonly<Record<string, unknown>>): string {
  const fields: Readonly<Record<string, string>> = {
    read_file: 'path',
    search_tools: 'query',
    send_email: 'to',
    memory_append: 'note',
  };
  if (tool === 'write_report') return `${REPORT_PARTS} parts`;
  const value = args[fields[tool] ?? ''];
  return typeof value === 'string' ? value : '';
}
