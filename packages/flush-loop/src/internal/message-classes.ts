/** LangChain's message classes, loaded when the first message has to be made. */

import { LangChainMissingError } from '../errors.js';
import type { MessageClasses } from '../flush-loop-params.js';

let loading: Promise<MessageClasses> | undefined;

/** Loads the classes of the installed `@langchain/core` once. A failed attempt is not remembered. */
export function loadMessageClasses(): Promise<MessageClasses> {
  loading ??= import('@langchain/core/messages').catch((cause: unknown) => {
    loading = undefined;
    throw new LangChainMissingError(cause);
  });
  return loading;
}
