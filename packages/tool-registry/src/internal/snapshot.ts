/** Reading an availability snapshot, which has been stored somewhere in between. */

import { isPlainObject } from '@holdfast/kernel';
import { ToolRegistryOptionError } from '../errors.js';
import type { ToolAvailability } from '../tool-definition.js';
import { isAvailability } from './option-checks.js';

/** The states of a snapshot by name. Throws for another version, a broken entry, a name that comes twice. */
export function readSnapshot(snapshot: unknown): Map<string, ToolAvailability> {
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
