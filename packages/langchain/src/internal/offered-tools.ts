/** Registered tools as LangChain offers them to a model. They are run by the registry, never by these objects. */

import type { LLMToolSchema } from '@holdfast/tool-registry';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { HoldfastOptionError } from '../errors.js';
import type { RunRegistry } from './run-registry.js';

/** The registry renders a schema once and freezes it, so one object stands for it in every request. */
const offered = new WeakMap<LLMToolSchema, DynamicStructuredTool>();

/** The tools on the wire that the run may call, in the order of their registration. */
export function offeredTools(
  { registry, context }: RunRegistry,
  agentTools: readonly unknown[],
): DynamicStructuredTool[] {
  const taken = new Set(agentTools.map((tool) => (tool as { name?: unknown }).name));
  const schemas = registry.toLLMTools(context.allowedTools === undefined ? undefined : [...context.allowedTools]);
  return schemas.map((schema) => {
    if (taken.has(schema.function.name)) {
      throw new HoldfastOptionError(
        'tools.registry',
        `without tools that the agent has as well; both have ${JSON.stringify(schema.function.name)}`,
      );
    }
    return offer(schema);
  });
}

function offer(schema: LLMToolSchema): DynamicStructuredTool {
  let tool = offered.get(schema);
  if (tool === undefined) {
    const { name, description, parameters } = schema.function;
    tool = new DynamicStructuredTool({
      name,
      description,
      schema: parameters,
      func: async () => {
        throw new Error(
          `The tool "${name}" is run by Holdfast: put its middleware last, so that no other one runs it.`,
        );
      },
    });
    offered.set(schema, tool);
  }
  return tool;
}
