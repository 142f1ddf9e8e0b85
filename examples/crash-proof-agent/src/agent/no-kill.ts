/**
 * The same harm without any crash: a plain StateGraph with LangGraph's own ToolNode. One reply calls two tools, one
 * sends an e-mail and the other fails; the run is resumed, and the finished tool runs a second time.
 */
import { join } from 'node:path';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { tool } from 'langchain';
import { z } from 'zod';
import { NO_KILL_RECIPIENT } from '../kill-plan.js';
import type { Job, WorkerSummary } from '../protocol.js';
import { connectWorld } from '../world/world-client.js';
import { openCheckpoints } from './checkpoints.js';
import type { Stage } from './stage.js';

export async function runWithoutKill(job: Job, stage: Stage): Promise<WorkerSummary> {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', ({ messages }) => ({ messages: [messages.length === 1 ? bothCalls() : new AIMessage('Done.')] }))
    .addNode('tools', new ToolNode(toolsFor(job, stage), { handleToolErrors: false }))
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: openCheckpoints(join(job.directory, 'no-kill-checkpoints.sqlite')) });

  const config = { configurable: { thread_id: 'no-kill' } };
  const failed = await graph.invoke({ messages: [new HumanMessage('Tell the team.')] }, config).then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error('The tool that has to fail did not.');
  await graph.invoke(null, config);
  return { finalText: '', references: [], flush: '' };
}

function toolsFor(job: Job, stage: Stage) {
  const world = connectWorld(job.worldUrl);
  let tellSent = (): void => {};
  const sent = new Promise<void>((resolve) => {
    tellSent = resolve;
  });
  const sendEmail = tool(
    async () => {
      stage.call({ tool: 'send_email', about: NO_KILL_RECIPIENT, state: 'running' });
      const { id } = await world.sendEmail({ to: NO_KILL_RECIPIENT, subject: 'Report', body: 'It is published.' });
      stage.call({ tool: 'send_email', state: 'executed', note: 'nobody killed anything' });
      tellSent();
      return id;
    },
    { name: 'send_email', description: 'Sends an e-mail.', schema: z.object({}) },
  );
  let failures = 0;
  const lookUp = tool(
    async () => {
      await sent;
      failures += 1;
      if (failures === 1) throw new Error('The address book is busy.');
      return 'team@example.com';
    },
    { name: 'look_up', description: 'Looks up an address.', schema: z.object({}) },
  );
  return [sendEmail, lookUp];
}

function bothCalls(): AIMessage {
  return new AIMessage({
    content: '',
    tool_calls: [
      { name: 'send_email', args: {}, id: 'call_0', type: 'tool_call' },
      { name: 'look_up', args: {}, id: 'call_1', type: 'tool_call' },
    ],
  });
}
