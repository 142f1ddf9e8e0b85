/** Outputs by reference: filling the registry from the history, resolving arguments, and keeping an output. */

import { previewOutput, type ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { EffectPolicy } from '../options.js';
import { earlierMessages, type PlacedCall } from './call.js';
import { readCallRecord } from './metadata.js';

/** Longest output that the model reads whole, by default. */
const DEFAULT_PREVIEW_LIMIT = 8_000;

/**
 * Gives the registry the outputs of the messages that are newer than what it holds: after a restart all of them,
 * otherwise those of the turn before. What it dropped to make room stays dropped.
 */
export function rehydrate(
  registry: ToolOutputReferenceRegistry,
  scope: string,
  messages: readonly BaseMessage[],
): void {
  const newer: [key: string, output: string][] = [];
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message === undefined || !ToolMessage.isInstance(message)) continue;
    const { scope: own, ref, output } = readCallRecord(message);
    if (own !== scope || ref === undefined || output === undefined) continue;
    if (registry.has(scope, ref)) break;
    newer.push([ref, output]);
  }
  for (const [key, output] of newer.reverse()) registry.set(scope, key, output);
}

/** Arguments with the outputs that existed before the call's turn in the place of their references. */
export function resolveArguments(
  call: PlacedCall,
  args: Record<string, unknown>,
): { readonly args: Record<string, unknown>; readonly unresolved: readonly string[] } {
  const { references } = call.options;
  if (references === undefined || call.run === undefined) return { args, unresolved: [] };
  // Outputs of this turn are not in the registry: they come from the history, with the next request.
  rehydrate(references.registry, call.run.outputScope, earlierMessages(call));
  const { resolved, unresolved } = references.registry.resolve(call.run.outputScope, args);
  return { args: resolved, unresolved };
}

/** Whether a call that names missing outputs is refused. */
export function refusesUnresolved(call: PlacedCall, policy: EffectPolicy): boolean {
  const rule = call.options.references?.unresolved ?? 'refuse-effects';
  return rule === 'refuse' || (rule === 'refuse-effects' && policy.effect !== 'none');
}

/** A tool message's output as text, or `undefined` when it holds more than text. */
export function outputText(message: ToolMessage): string | undefined {
  const { content } = message;
  if (typeof content === 'string') return content;
  let text = '';
  for (const block of content) {
    if (block.type !== 'text' || typeof block['text'] !== 'string') return undefined;
    text += block['text'];
  }
  return text;
}

/** The part of an output that the model reads when it is too long to be read whole. */
export function previewOf(call: PlacedCall, output: string): string | undefined {
  const limit = call.options.references?.previewLimit ?? DEFAULT_PREVIEW_LIMIT;
  return output.length > limit ? previewOutput(output, limit) : undefined;
}
