/** What the model is told about references and tools, appended to the system prompt. */

import { TOOL_OUTPUT_REFERENCES_GUIDE } from '@holdfast/tool-refs';
import type { HoldfastOptions } from '../options.js';
import type { RunRegistry } from './run-registry.js';

/** The guide for the pieces that are on, or `undefined` when the host writes its own prompt. */
export function guideFor(options: HoldfastOptions, tools: RunRegistry | undefined): string | undefined {
  const parts: string[] = [];
  if (options.references !== undefined && options.references.guide !== false) parts.push(TOOL_OUTPUT_REFERENCES_GUIDE);
  if (tools !== undefined && options.tools?.guide !== false) parts.push(tools.registry.toPromptSection());
  const text = parts.filter((part) => part !== '').join('\n\n');
  return text === '' ? undefined : text;
}
