/** The memory turn with Holdfast: a bounded loop, each append under a receipt of its own. */
import { type AIMessageChunk, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { ChatOpenAI } from '@langchain/openai';
import {
  bindToolsIfSupported,
  type EffectContext,
  executeOnce,
  type InvokableModel,
  type ReceiptStore,
  runFlushLoop,
  sha256Digest,
  toolCallArgsHash,
} from 'holdfast';
import { tool } from 'langchain';
import { LEASE_MS, TENANT_ID } from '../open-receipts.js';
import { aboutCall } from './announce.js';
import { DecisionTeller } from './decision-teller.js';
import { flushSystemPrompt, flushTask } from './flush-prompt.js';
import { readNotes } from './memory.js';
import { THREAD_ID } from './run-agent.js';
import { memoryAppendTool, type ToolHost } from './tools.js';

export interface MemoryFlush {
  readonly host: ToolHost;
  readonly store: ReceiptStore;
  readonly model: ChatOpenAI;
  readonly messages: readonly BaseMessage[];
}

/** Has the model write down what must not be forgotten. Returns how the loop ended, in words. */
export async function flushMemory({ host, store, model, messages }: MemoryFlush): Promise<string> {
  const append = appendOnce(host, store);
  const result = await runFlushLoop({
    model: streamed(bindToolsIfSupported(model, [append])),
    tools: [append],
    initialMessages: [new SystemMessage(flushSystemPrompt), new HumanMessage(flushTask(host.job, messages))],
  });
  if (result.stopReason === 'model_error') throw result.error;
  return `${result.appendsSucceeded} of ${result.appendsAttempted} appends, ${result.stopReason}`;
}

/** The agent's own tool, run under a receipt. After a crash the memory file itself tells whether a note is in it. */
function appendOnce(host: ToolHost, store: ReceiptStore) {
  let running: EffectContext | undefined;
  const plain = memoryAppendTool({ ...host, currentEffect: () => running });
  const teller = new DecisionTeller(host.stage);
  return tool(
    async (args) => {
      host.stage.call({ tool: plain.name, about: aboutCall(plain.name, args), state: 'running' });
      const argsHash = await toolCallArgsHash(args, sha256Digest);
      const key = { tenantId: TENANT_ID, runId: `${THREAD_ID}/memory`, toolName: plain.name, argsHash };
      const run = async (effect: EffectContext): Promise<string> => {
        running = effect;
        return plain.invoke(args);
      };
      const outcome = await executeOnce<string>(store, key, run, {
        leaseMs: LEASE_MS,
        whenBusy: 'wait',
        reconcile: async ({ idempotencyKey }) => {
          const written = readNotes(host.job.directory).some((note) => note.idempotencyKey === idempotencyKey);
          teller.reconciled(plain.name, written);
          return written ? { kind: 'happened', result: JSON.stringify({ ok: true }) } : { kind: 'did-not-happen' };
        },
      });
      if (outcome.kind !== 'executed' && outcome.kind !== 'replayed') {
        teller.decided({ toolName: plain.name, decision: outcome.kind === 'ambiguous' ? 'ambiguous' : 'failed' });
        return JSON.stringify({ ok: false, error: `This note was not written: ${outcome.kind}` });
      }
      teller.decided({ toolName: plain.name, decision: outcome.kind });
      return outcome.value;
    },
    { name: plain.name, description: plain.description, schema: plain.schema },
  );
}

/** `invoke` over HTTP streaming: the client's own `invoke` does not stream. */
function streamed(model: InvokableModel): InvokableModel {
  const source = model as unknown as { stream(messages: BaseMessage[]): Promise<AsyncIterable<AIMessageChunk>> };
  return {
    async invoke(messages) {
      let reply: AIMessageChunk | undefined;
      for await (const chunk of await source.stream(messages)) reply = reply ? reply.concat(chunk) : chunk;
      if (!reply) throw new Error('The model sent nothing.');
      return reply;
    },
  };
}
