/** The same agent with Holdfast: one middleware, and nothing else differs from the plain one. */
import { join } from 'node:path';
import { type CallDecision, currentEffect, holdfastMiddleware, toToolDefinition } from '@holdfast/langchain';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { findReferences, type ReceiptStore, ToolOutputReferenceRegistry, ToolRegistry } from 'holdfast';
import { createAgent } from 'langchain';
import { LEASE_MS, openReceipts, TENANT_ID } from '../open-receipts.js';
import type { Job, WorkerSummary } from '../protocol.js';
import { connectWorld } from '../world/world-client.js';
import { announceCalls } from './announce.js';
import { openCheckpoints } from './checkpoints.js';
import { DecisionTeller } from './decision-teller.js';
import { flushMemory } from './memory-flush.js';
import { createModel, StreamWatcher } from './model.js';
import { officeTools } from './office-tools.js';
import { finalText, runToEnd, systemPrompt } from './run-agent.js';
import type { Stage } from './stage.js';
import { readFileTool, sendEmailTool, type ToolHost, writeReportTool } from './tools.js';

export async function runWithHoldfast(job: Job, stage: Stage): Promise<WorkerSummary> {
  const checkpointer = openCheckpoints(join(job.directory, 'checkpoints.sqlite'));
  const watcher = new StreamWatcher(stage, (tool) => {
    if (tool === 'send_email' && job.checkpointLags) checkpointer.lag();
  });
  const model = createModel(job.model, watcher);
  const { store } = openReceipts(job.directory);
  const host: ToolHost = { job, stage, world: connectWorld(job.worldUrl), currentEffect };

  const agent = createAgent({
    model,
    tools: [readFileTool(host), writeReportTool(host)],
    systemPrompt,
    checkpointer,
    middleware: [announceCalls(stage), holdfast(host, store)],
  });
  const messages = await runToEnd(agent, job);
  const flush = await flushMemory({ host, store, model, messages });
  return { finalText: finalText(messages), references: usedReferences(messages), flush };
}

function holdfast(host: ToolHost, store: ReceiptStore) {
  const { stage, job, world } = host;
  const teller = new DecisionTeller(stage);
  const registry = new ToolRegistry();
  registry.register([toToolDefinition(sendEmailTool(host)), ...officeTools], 'deferred');
  return holdfastMiddleware({
    references: { registry: new ToolOutputReferenceRegistry(), previewLimit: 1_000 },
    tools: { registry },
    receipts: {
      store,
      tenantId: TENANT_ID,
      leaseMs: LEASE_MS,
      whenBusy: 'wait',
      effects: {
        read_file: 'none',
        write_report: 'resumable',
        send_email: {
          effect: 'opaque',
          ...(job.reconcile && {
            reconcile: async ({ idempotencyKey }) => {
              const arrived = await world.hasArrived(idempotencyKey);
              teller.reconciled('send_email', arrived);
              return arrived ? { kind: 'happened', result: { ok: true } } : { kind: 'did-not-happen' };
            },
          }),
        },
      },
    },
    replies: {
      onBrokenReply: ({ calls }) => {
        for (const { toolName } of calls) {
          stage.call({ tool: toolName, state: 'refused', note: 'cut off, asked again' });
        }
      },
    },
    onDecision: (decision: CallDecision) => teller.decided(decision),
  });
}

/** The keys of the outputs that the model passed on by reference, each once. */
function usedReferences(messages: readonly BaseMessage[]): string[] {
  const keys = new Set<string>();
  for (const message of messages) {
    if (!AIMessage.isInstance(message)) continue;
    for (const call of message.tool_calls ?? []) for (const key of findReferences(call.args)) keys.add(key);
  }
  return [...keys];
}
