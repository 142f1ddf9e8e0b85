/** Giving a model its tools, where it can take them. */

import type { StructuredToolInterface } from '@langchain/core/tools';
import type { InvokableModel } from './flush-loop-params.js';

/** Binds the tools to a model that has `bindTools`; gives any other model back as it is. */
// biome-ignore lint/suspicious/noExplicitAny: chat models of every LangChain version are welcome, and their types differ
export function bindToolsIfSupported(model: any, tools: StructuredToolInterface[]): InvokableModel {
  return typeof model?.bindTools === 'function' ? model.bindTools(tools) : model;
}
