/** Outputs by reference: filling the registry from the history, resolving arguments, and keeping an output. */

import { cutText } from '@holdfast/kernel';
import { previewOutput, type ToolOutputReferenceRegistry, type ToolOutputResolveView } from '@holdfast/tool-refs';
import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { EffectPolicy, ReferenceOptions } from '../options.js';
import { earlierMessages, type PlacedCall } from './call.js';
import { readCallRecord } from './metadata.js';

/** Longest output that the model reads whole, by default. */
const DEFAULT_PREVIEW_LIMIT = 8_000;

/**
 * Gives the registry the outputs of the messages that are newer than what it holds: after a restart all of them,
 * otherwise those of the turn before. What it dropped to make room stays dropped.
 *
 * The messages are right. Where the registry holds another output under a key of theirs, it was filled from another
 * history of the same run (a fork, a second agent, a run that began anew), and is filled again from this one.
 */
export function rehydrate(
  registry: ToolOutputReferenceRegistry,
  scope: string,
  messages: readonly BaseMessage[],
): void {
  const newer = new Map<string, string>();
  const held = new Set<string>();
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message === undefined || !ToolMessage.isInstance(message)) continue;
    const { scope: own, ref, output } = readCallRecord(message);
    if (own !== scope || ref === undefined || output === undefined || newer.has(ref) || held.has(ref)) continue;
    const stored = registry.get(scope, ref);
    if (stored === undefined) {
      if (held.size === 0) newer.set(ref, output);
    } else if (isStoredForm(stored, output, registry.perOutputLimit)) {
      held.add(ref);
    } else {
      registry.releaseRun(scope);
      rehydrate(registry, scope, messages);
      return;
    }
  }
  for (const [key, output] of [...newer].reverse()) registry.set(scope, key, output);
}

function isStoredForm(stored: string, output: string, limit: number): boolean {
  return stored === output || (output.length > limit && output.startsWith(stored));
}

/** Arguments with the outputs that existed before the call's turn in the place of their references. */
export function resolveArguments(
  call: PlacedCall,
  args: Record<string, unknown>,
): { readonly args: Record<string, unknown>; readonly unresolved: readonly string[] } {
  const { references } = call.options;
  if (references === undefined || call.run === undefined) return { args, unresolved: [] };
  const { registry } = references;
  const { outputScope } = call.run;
  rehydrate(registry, outputScope, earlierMessages(call));
  // A batch sees earlier turns only: not this turn's outputs, and not later ones that another history left behind.
  const view: ToolOutputResolveView =
    call.turn === undefined ? registry.snapshot(outputScope) : registry.beginBatch(outputScope, { turn: call.turn });
  const { resolved, unresolved } = view.resolve(args);
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

/** Stores an output under the call's key. Gives what is kept of it: all of it, up to the registry's limit. */
export function storeOutput(
  call: PlacedCall,
  { registry }: ReferenceOptions,
  scope: string,
  key: string,
  output: string,
): string {
  // Other runs may have displaced this one while the tool ran; its older outputs go back in before the new one.
  rehydrate(registry, scope, earlierMessages(call));
  registry.set(scope, key, output);
  return registry.get(scope, key) ?? cutText(output, registry.perOutputLimit);
}

/** What the model reads in the place of an output that is too long to be read, or to be kept, whole. */
export function shownOutput({ previewLimit }: ReferenceOptions, output: string, kept: string): string | undefined {
  const limit = previewLimit ?? DEFAULT_PREVIEW_LIMIT;
  const preview = output.length > limit ? previewOutput(output, limit) : undefined;
  if (kept.length === output.length) return preview;
  return (
    `${preview ?? output}\n` +
    `[a reference to this output inserts only its first ${kept.length} of ${output.length} characters]`
  );
}
