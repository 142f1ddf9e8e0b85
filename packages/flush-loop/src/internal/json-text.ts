/** JSON of values that JSON itself drops or refuses. */

/**
 * Writes a value as JSON. Big integers become strings, maps and sets lists, errors their name and message.
 * Throws where `JSON.stringify` does: cycles, getters and `toJSON` that throw, nesting beyond the stack.
 */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) => plain(entry)) ?? String(value);
}

function plain(entry: unknown): unknown {
  if (typeof entry === 'bigint') return String(entry);
  if (entry instanceof Map || entry instanceof Set) return [...entry];
  if (entry instanceof Error) return { name: entry.name, message: entry.message };
  return entry;
}
