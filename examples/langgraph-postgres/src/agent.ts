/** The agent of one order: a model that plays its part, a tool with an effect, and the middleware that keeps it single. */

import type { Mailer, Stage } from '@holdfast/example-stage';
import { currentEffect, holdfastMiddleware } from '@holdfast/langchain';
import type { PostgresReceiptStore } from '@holdfast/receipts-postgres';
import type { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import {
  type AgentMiddleware,
  AIMessage,
  type BaseMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  tool,
} from 'langchain';
import { z } from 'zod';
import { MOMENT, type Order } from './settings.js';

/** Short, so that the example is: the default is 30 s. */
const LEASE_MS = 1_000;

export interface AgentHost {
  readonly checkpointer: PostgresSaver;
  /** Absent for the agent without receipts. */
  readonly store: PostgresReceiptStore | undefined;
  readonly mailer: Mailer;
  readonly stage: Stage;
}

export function agentFor(order: Order, host: AgentHost) {
  const middleware: AgentMiddleware[] = [standStill(order, host.stage)];
  if (host.store) middleware.push(receipts(order, host.store, host));
  return createAgent({
    model: playedModel(order),
    tools: [sendEmailTool(order, host)],
    checkpointer: host.checkpointer,
    middleware,
  });
}

/** The whole difference between the two agents. */
function receipts({ id }: Order, store: PostgresReceiptStore, { mailer, stage }: AgentHost) {
  return holdfastMiddleware({
    receipts: {
      store,
      tenantId: 'shop', // the run is LangGraph's thread_id
      leaseMs: LEASE_MS,
      whenBusy: 'wait', // for the lease of the dead worker
      effects: {
        send_email: {
          effect: 'opaque',
          async reconcile({ idempotencyKey }) {
            stage.tell({ kind: 'decided', job: id, decision: 'reconciled' });
            const emailId = await mailer.find(idempotencyKey);
            return emailId === undefined ? { kind: 'did-not-happen' } : { kind: 'happened', result: emailId };
          },
        },
      },
    },
    onDecision({ decision, attempt }) {
      if (decision === 'waiting') return;
      stage.tell({ kind: 'decided', job: id, decision, ...(attempt !== undefined && { attempt }) });
    },
  });
}

function sendEmailTool(order: Order, { mailer, stage }: AgentHost) {
  return tool(
    async ({ to, subject }) => {
      const emailId = await mailer.send(to, subject, currentEffect()?.idempotencyKey);
      await stage.reached(order.id, MOMENT.sent);
      return emailId;
    },
    {
      name: 'send_email',
      description: 'Sends an e-mail.',
      schema: z.object({ to: z.string(), subject: z.string() }),
    },
  );
}

/** Stands outside of the receipts, where a tool's answer is on its way to the checkpointer. */
function standStill(order: Order, stage: Stage) {
  return createMiddleware({
    name: 'StandStill',
    async wrapToolCall(request, handler) {
      const answer = await handler(request);
      await stage.reached(order.id, MOMENT.handled);
      return answer;
    },
  });
}

/** Asks for the e-mail, and is content when it has an answer: at most two replies in one process. */
function playedModel({ id, email }: Order) {
  const reply = (messages: readonly BaseMessage[]): AIMessage => {
    if (messages.at(-1)?.type === 'tool') return new AIMessage('The customer has been told.');
    const args = { to: email, subject: `Order ${id} is confirmed` };
    return new AIMessage({ content: '', tool_calls: [{ name: 'send_email', args, id: 'call_1', type: 'tool_call' }] });
  };
  return fakeModel().respond(reply).respond(reply);
}
