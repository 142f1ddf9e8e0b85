/** The messages as the model reads them. */

import { annotateMessagesForLLM } from '@holdfast/tool-refs';
import type { BaseMessage } from '@langchain/core/messages';
import type { HoldfastOptions, RunRequest } from '../options.js';
import { rehydrate } from './references.js';
import { requireRun } from './run-id.js';

/** The messages with each output's key beside it. The originals stay as they are. */
export function annotatedMessages(messages: BaseMessage[], run: RunRequest, options: HoldfastOptions): BaseMessage[] {
  if (options.references === undefined) return messages;
  const { outputScope } = requireRun(run, options);
  rehydrate(options.references.registry, outputScope, run.messages);
  return annotateMessagesForLLM(messages, options.references.registry, outputScope);
}
