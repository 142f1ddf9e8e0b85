/** A LangChain tool as a definition that a registry admits. */

import type { ToolDefinition, ToolExecutionResult, ToolInputSchema } from '@holdfast/tool-registry';
import { ToolMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { outputText } from './internal/references.js';
import { argumentIssues } from './internal/validate-arguments.js';

/** What a definition may say beyond what the tool says. */
export type ToolDefinitionExtras = Partial<Omit<ToolDefinition, 'name' | 'inputSchema' | 'execute'>>;

/**
 * Makes a registry's definition of a LangChain tool. The tool's own schema checks the input and is shown to the model;
 * its content becomes the output and its artifact the data. A `Command` cannot pass through a registry and becomes an
 * error: give such a tool to the agent itself.
 */
export function toToolDefinition(tool: StructuredToolInterface, extras: ToolDefinitionExtras = {}): ToolDefinition {
  return {
    description: tool.description,
    ...extras,
    name: tool.name,
    inputSchema: inputSchemaOf(tool),
    async execute(input, context) {
      const result: unknown = await tool.invoke({
        type: 'tool_call',
        name: tool.name,
        args: input as Record<string, unknown>,
        // Without an id LangChain gives the bare content, and the artifact is lost.
        id: context.toolUseId || 'call',
      });
      return toExecutionResult(tool.name, result);
    },
  };
}

function inputSchemaOf(tool: StructuredToolInterface): ToolInputSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'langchain',
      validate: (value) => {
        const issues = argumentIssues(tool.schema, value);
        // The tool parses its input itself, so it is handed on as it came.
        return issues.length === 0
          ? { value }
          : { issues: issues.map(({ path, message }) => ({ message: `${path}: ${message}` })) };
      },
      jsonSchema: { input: () => toJsonSchema(tool.schema) as Record<string, unknown> },
    },
  };
}

function toExecutionResult(name: string, result: unknown): ToolExecutionResult {
  if (!ToolMessage.isInstance(result)) {
    throw new TypeError(`The tool "${name}" must return text or a ToolMessage to be called through a registry.`);
  }
  const text = outputText(result);
  const success = result.status !== 'error';
  return {
    success,
    output: text ?? '',
    ...(!success && { error: text ?? 'The tool reported an error.' }),
    ...(typeof result.content !== 'string' && { content: result.content }),
    ...(result.artifact !== undefined && { data: result.artifact as unknown }),
  };
}
