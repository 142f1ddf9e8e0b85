import { resolveArguments } from './internal/resolve-arguments.js';

/**
 * The keys that `resolve` would look up in these arguments, each once, in order of first use. Nothing is stored or
 * changed.
 */
export function findReferences(args: unknown): string[] {
  const { unresolved } = resolveArguments(args, { lookup: () => undefined, limit: 0 });
  return [...unresolved.keys()];
}
