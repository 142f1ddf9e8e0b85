/** How a tool's effect is treated. */

import { getOwn } from '@holdfast/kernel';
import { SEARCH_TOOL_NAME } from '@holdfast/tool-registry';
import { HoldfastOptionError } from '../errors.js';
import type { EffectPolicy, ExecutionOptions, ToolEffect } from '../options.js';
import type { PlacedCall } from './call.js';

/** The tool's own entry, its definition's `effect`, or the default, over the options for all tools. */
export function effectPolicy(call: PlacedCall): EffectPolicy {
  const { receipts } = call.options;
  const listed = receipts?.effects && getOwn(receipts.effects, call.toolName);
  const own = typeof listed === 'object' && listed !== null ? (listed as EffectPolicy) : undefined;
  const effect = checkedEffect(
    call.toolName,
    own?.effect ?? listed ?? registeredEffect(call) ?? receipts?.defaultEffect ?? 'opaque',
  );
  return { whenBusy: 'wait', ...executionOptions(receipts), ...own, effect };
}

function registeredEffect({ options, tool, toolName }: PlacedCall): string | undefined {
  if (tool !== undefined || options.tools === undefined) return undefined;
  return options.tools.registry.get(toolName)?.effect ?? (toolName === SEARCH_TOOL_NAME ? 'none' : undefined);
}

function checkedEffect(toolName: string, effect: unknown): ToolEffect {
  if (effect === 'opaque' || effect === 'resumable' || effect === 'none') return effect;
  throw new HoldfastOptionError(`effect of the tool "${toolName}"`, `'opaque', 'resumable' or 'none'`);
}

function executionOptions(receipts: ExecutionOptions | undefined): ExecutionOptions {
  const options: Record<string, unknown> = {};
  for (const name of EXECUTION_OPTIONS) if (receipts?.[name] !== undefined) options[name] = receipts[name];
  return options;
}

const EXECUTION_OPTIONS = [
  'leaseMs',
  'maxAttempts',
  'whenBusy',
  'waitLimitMs',
  'classifyError',
  'maxResultChars',
  'offload',
  'allowVolatile',
  'newToken',
  'now',
  'maxResends',
  'resendDelayMs',
] as const satisfies readonly (keyof ExecutionOptions)[];
