/** What an agent does today: the same model, tools and checkpointer, without Holdfast. */
import { join } from 'node:path';
import { HumanMessage } from '@langchain/core/messages';
import { createAgent, createMiddleware } from 'langchain';
import type { Job, WorkerSummary } from '../protocol.js';
import { connectWorld } from '../world/world-client.js';
import { announceCalls } from './announce.js';
import { openCheckpoints } from './checkpoints.js';
import { flushSystemPrompt, flushTask } from './flush-prompt.js';
import { createModel, StreamWatcher } from './model.js';
import { finalText, runToEnd, systemPrompt } from './run-agent.js';
import type { Stage } from './stage.js';
import { memoryAppendTool, readFileTool, sendEmailTool, type ToolHost, writeReportTool } from './tools.js';

export async function runPlain(job: Job, stage: Stage): Promise<WorkerSummary> {
  const checkpointer = openCheckpoints(join(job.directory, 'checkpoints.sqlite'));
  const watcher = new StreamWatcher(stage, (tool) => {
    if (tool === 'send_email' && job.checkpointLags) checkpointer.lag();
  });
  const model = createModel(job.model, watcher);
  const host: ToolHost = { job, stage, world: connectWorld(job.worldUrl), currentEffect: () => undefined };

  const agent = createAgent({
    model,
    tools: [readFileTool(host), writeReportTool(host), sendEmailTool(host)],
    systemPrompt,
    checkpointer,
    middleware: [announceCalls(stage), tellExecuted(stage)],
  });
  const messages = await runToEnd(agent, job);

  // The memory turn is a short run of its own and keeps no checkpoints, as such turns usually do.
  const writer = createAgent({
    model,
    tools: [memoryAppendTool(host)],
    systemPrompt: flushSystemPrompt,
    middleware: [announceCalls(stage), tellExecuted(stage)],
  });
  const turn = { messages: [new HumanMessage(flushTask(job, messages))] };
  for await (const _ of await writer.stream(turn, { streamMode: 'messages' }));
  return { finalText: finalText(messages), references: [], flush: 'done' };
}

function tellExecuted(stage: Stage) {
  return createMiddleware({
    name: 'TellExecuted',
    async wrapToolCall(request, handler) {
      const result = await handler(request);
      stage.call({ tool: request.toolCall.name, state: 'executed' });
      return result;
    },
  });
}
