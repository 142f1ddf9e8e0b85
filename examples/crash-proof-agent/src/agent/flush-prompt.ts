/** What the model is asked when the context is about to be cut. */
import type { BaseMessage } from '@langchain/core/messages';
import type { Job } from '../protocol.js';

export const flushSystemPrompt = `The conversation that you get as data is about to be forgotten. Write down what a \
successor needs, with memory_append, one note per call: what was published, what was sent and to whom, what is left \
to do. Three notes, no more. Then answer NO_REPLY.`;

/** The conversation as data, each message cut to what a note needs. */
export function flushTask(job: Job, messages: readonly BaseMessage[]): string {
  const lines = messages.map((message) => JSON.stringify({ [message.getType()]: message.text.slice(0, 400) }));
  return `File: ${job.inputName}\n\n${lines.join('\n')}`;
}
