/** `--agent TASK`: runs the agent, shows what it did, and judges it. */

import type { ToolRegistry } from '@holdfast/tool-registry';
import { clipped, count, number, type Screen } from '../screen.js';
import { tokensOf, wireTokensWith } from '../wire.js';
import type { CallLog } from './call-log.js';
import type { ChatRequest } from './chat.js';
import { startModelServer } from './model-server.js';
import { type AgentRun, runAgent } from './run-agent.js';
import { judge } from './verdict.js';

export interface AgentCommand {
  readonly registry: ToolRegistry;
  readonly log: CallLog;
  readonly screen: Screen;
  readonly task: string;
  readonly expect: string | undefined;
  readonly model: 'local' | 'openai';
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Gives the exit code: 0 only if everything held. */
export async function agentCommand(command: AgentCommand): Promise<0 | 1> {
  const { registry, log, screen, task, expect } = command;
  screen(`task: ${task}`);
  const run = await (command.model === 'local' ? runLocal(command) : runOpenAI(command)).catch(
    (error: unknown): AgentRun => ({ requests: [], answer: `The run failed: ${String(error)}`, ended: false }),
  );
  screen(...run.requests.map(requestLine), `answer: ${clipped(run.answer, 1_000)}`);
  const all = number(wireTokensWith(registry, registry.listNames()));
  screen(`all ${number(registry.listNames().length - 1)} tools would be ${all} tokens in every request`);
  const findings = judge({ ...run, calls: log.calls, expected: expect });
  screen(...findings.map(({ holds, text }) => `${holds ? '✓' : '✗'} ${text}`));
  return findings.every(({ holds }) => holds) ? 0 : 1;
}

async function runLocal(command: AgentCommand): Promise<AgentRun> {
  const server = await startModelServer();
  try {
    return await runAgent({ ...command, modelName: 'local', baseURL: server.url });
  } finally {
    await server.close();
  }
}

function runOpenAI(command: AgentCommand): Promise<AgentRun> {
  const baseURL = process.env['OPENAI_BASE_URL'];
  return runAgent({
    ...command,
    modelName: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
    ...(baseURL && { baseURL }),
  });
}

function requestLine(request: ChatRequest, index: number): string {
  const { messages, tools = [] } = request;
  const names = tools.map((tool) => tool.function.name).join(', ');
  const after = messages.at(-1)?.role === 'tool' ? ', after a result' : '';
  const price = `${number(tokensOf(tools))} of ${number(tokensOf(request))} tokens`;
  return `request ${index + 1}${after}: ${count(tools.length, 'tool')}, ${price}: ${names}`;
}
