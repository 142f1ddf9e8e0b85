/** Availability snapshots: written, stored somewhere in between, read back. */

import { isPlainObject } from '@holdfast/kernel';
import { ToolRegistryOptionError } from '../errors.js';
import type { ToolAvailability } from '../tool-definition.js';
import type { ToolAvailabilityRestoration, ToolAvailabilitySnapshot } from '../tool-registry-config.js';
import { isAvailability } from './option-checks.js';
import type { ToolStates } from './tool-state.js';

/** The states of all tools as plain JSON. */
export function saveStates(states: ToolStates): ToolAvailabilitySnapshot {
  return { version: 1, tools: [...states].map(([name, state]) => [name, state.availability]) };
}

/** Gives every tool the state that it has in the snapshot, and says what became of it. */
export function restoreStates(states: ToolStates, snapshot: unknown): ToolAvailabilityRestoration {
  const saved = readSnapshot(snapshot);
  const restored: string[] = [];
  for (const [name, state] of states) {
    const availability = saved.get(name);
    if (availability === undefined) continue;
    state.availability = availability;
    restored.push(name);
  }
  return {
    restored,
    unknown: [...saved.keys()].filter((name) => !states.has(name)),
    unmentioned: [...states.keys()].filter((name) => !saved.has(name)),
  };
}

/** The states of a snapshot by name. Throws for another version, a broken entry, a name that comes twice. */
function readSnapshot(snapshot: unknown): Map<string, ToolAvailability> {
  if (!isPlainObject(snapshot) || snapshot['version'] !== 1 || !Array.isArray(snapshot['tools'])) {
    throw new ToolRegistryOptionError('snapshot', 'what saveAvailability gave (version 1)', snapshot);
  }
  const states = new Map<string, ToolAvailability>();
  for (const entry of snapshot['tools'] as unknown[]) {
    const [name, availability] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof name !== 'string' || !isAvailability(availability) || states.has(name)) {
      throw new ToolRegistryOptionError('snapshot.tools', 'pairs of a name and a state, each name once', entry);
    }
    states.set(name, availability);
  }
  return states;
}
