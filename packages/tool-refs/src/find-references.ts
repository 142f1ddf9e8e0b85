import { resolveArguments } from './internal/resolve-arguments.js';

/**
 * The references that `resolve` would replace in these arguments, each once, in order of first use: a key, or a key
 * with its pointer as written, such as `tool0turn0#/items/0/id`. Nothing is stored or changed.
 */
export function findReferences(args: unknown): string[] {
  const { unresolved } = resolveArguments(args, { lookup: () => undefined }, 0);
  return [...unresolved.keys()];
}
