/** JSON of values that JSON itself drops or refuses. */

/**
 * Writes a value as JSON. Big integers become strings, maps and sets lists, errors their name and message.
 * `change` is asked for each string in it. Throws where `JSON.stringify` does: cycles, getters and `toJSON` that throw, nesting beyond the stack.
 */
export function writeJson(value: unknown, change: (text: string) => string = (text) => text): string {
  const replace = (_key: string, entry: unknown): unknown => (typeof entry === 'string' ? change(entry) : plain(entry));
  return JSON.stringify(value, replace) ?? String(value);
}

function plain(entry: unknown): unknown {
  if (typeof entry === 'bigint') return String(entry);
  if (entry instanceof Map || entry instanceof Set) return [...entry];
  if (entry instanceof Error) return { name: entry.name, message: entry.message };
  return entry;
}
