/** Starts an agent's run, or takes it up where the checkpoints end. */
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { ReactAgent } from 'langchain';
import type { Job } from '../protocol.js';

/** The run's name. It is the same in every process, so that a restart finds what its predecessors left. */
export const THREAD_ID = 'report-run';

/** Fixes the wording of the e-mail, so that a model which is asked again makes the same call. */
export const systemPrompt = `You are a careful office assistant. You do one thing after the other:
read the file, publish a report that holds the file's whole text unchanged, send one e-mail about it, and say that you are done.
You never do anything twice. The report's title and the e-mail's subject are exactly "Report on" and the file's name.
The e-mail's body is exactly these three lines, with what write_report returned filled in:
Hello team 👋,
the report on <file> is published in <parts> parts (<characters> characters, sha256 <sha256>).
It holds the file byte for byte. Grüße, 您的代理人`;

function taskFor(job: Job): string {
  return `Report on this file and tell the team.\nFile: ${job.inputName}\nRecipient: team@example.com`;
}

/** Runs the agent until it has nothing more to do. Returns all messages of the run. */
export async function runToEnd(agent: ReactAgent, job: Job): Promise<BaseMessage[]> {
  const config = { configurable: { thread_id: THREAD_ID }, recursionLimit: 60 };
  const before = await stateOf(agent);
  if (before.messages.length > 0 && before.next.length === 0) return before.messages;
  const input = before.messages.length === 0 ? { messages: [new HumanMessage(taskFor(job))] } : null;
  // LangGraph resumes on null, which the type of the input does not admit.
  const start = input as never;
  // "messages" makes the client stream over HTTP; the chunks themselves are watched by the model's own callback.
  for await (const _ of await agent.stream(start, { ...config, streamMode: 'messages' }));
  return (await stateOf(agent)).messages;
}

export function finalText(messages: readonly BaseMessage[]): string {
  const last = messages.at(-1);
  return last !== undefined && AIMessage.isInstance(last) && (last.tool_calls?.length ?? 0) === 0 ? last.text : '';
}

async function stateOf(agent: ReactAgent): Promise<{ messages: BaseMessage[]; next: readonly string[] }> {
  const snapshot = await agent.graph.getState({ configurable: { thread_id: THREAD_ID } });
  const values = snapshot.values as { messages?: BaseMessage[] };
  return { messages: values.messages ?? [], next: snapshot.next };
}
