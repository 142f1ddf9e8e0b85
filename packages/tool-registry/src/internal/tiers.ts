/** Tiers: their configuration, the label on the wire, the tier on a definition. */

import { compareCodeUnits } from '@holdfast/kernel';
import { ToolRegistryOptionError } from '../errors.js';
import type { LLMToolSchema, ToolDefinition } from '../tool-definition.js';
import type { ToolTier, ToolTierConfig } from '../tool-registry-config.js';
import type { AdmittedTool } from './admission.js';
import { wireSchema } from './wire-schema.js';

/** Checks that ids are unique and that every tier can be sorted and shown. */
export function assertTierConfig(config: ToolTierConfig | undefined): void {
  if (config === undefined) return;
  if (!Array.isArray(config.tiers)) throw new ToolRegistryOptionError('tierConfig.tiers', 'a list', config.tiers);
  if (config.guidanceTemplate !== undefined && typeof config.guidanceTemplate !== 'function') {
    throw new ToolRegistryOptionError('tierConfig.guidanceTemplate', 'a function', config.guidanceTemplate);
  }
  const ids = new Set<string>();
  for (const { id, label, priority } of config.tiers as readonly ToolTier[]) {
    if (typeof id !== 'string' || ids.has(id)) throw new ToolRegistryOptionError('tier id', 'a unique string', id);
    if (typeof label !== 'string') throw new ToolRegistryOptionError(`label of tier ${id}`, 'a string', label);
    if (!Number.isFinite(priority)) throw new ToolRegistryOptionError(`priority of tier ${id}`, 'a number', priority);
    ids.add(id);
  }
}

/** Checks that tier ids are configured, where tiers are configured at all. */
export function assertTierIds(ids: readonly unknown[], config: ToolTierConfig | undefined): void {
  for (const id of ids) {
    const known = config ? config.tiers.some((tier) => tier.id === id) : typeof id === 'string';
    const expected = config ? `one of ${config.tiers.map((tier) => tier.id).join(', ')}` : 'a string';
    if (!known) throw new ToolRegistryOptionError('tier', expected, id);
  }
}

/** The tiers in ascending order of priority, ties by id. */
export function tiersByPriority(config: ToolTierConfig): ToolTier[] {
  return [...config.tiers].sort((a, b) => a.priority - b.priority || compareCodeUnits(a.id, b.id));
}

/** The definition with another tier; the host's own object is left alone. */
export function withTier(definition: ToolDefinition, tier: string): ToolDefinition {
  const prototype: object | null = Object.getPrototypeOf(definition);
  const descriptors = Object.getOwnPropertyDescriptors(definition);
  return Object.create(prototype, {
    ...descriptors,
    tier: { value: tier, enumerable: true, configurable: true, writable: true },
  });
}

/** What goes on the wire for a tool, frozen. What a schema may not say at its root is told in the description. */
export function renderWire(
  tool: AdmittedTool,
  tier: string | undefined,
  config: ToolTierConfig | undefined,
): LLMToolSchema {
  const label = config?.labelInDescription ? config.tiers.find(({ id }) => id === tier)?.label : undefined;
  const { name } = tool;
  const { parameters, leftOut } = wireSchema(tool.parameters);
  const labelled = label === undefined ? tool.description : `[${label}] ${tool.description}`;
  const description = leftOut ? `${labelled}\n\nThe input also has to match: ${JSON.stringify(leftOut)}` : labelled;
  const strict = tool.definition.enforceModelInput ? { strict: true as const } : {};
  return Object.freeze({ type: 'function', function: Object.freeze({ name, description, parameters, ...strict }) });
}
