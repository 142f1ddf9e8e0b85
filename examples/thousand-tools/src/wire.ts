/** What tools cost on the wire. */

import type { ToolRegistry } from '@holdfast/tool-registry';

/** An estimate: four characters a token. Providers count differently, by up to a third. */
export function tokensOf(sent: unknown): number {
  return Math.ceil(JSON.stringify(sent).length / 4);
}

/** Tokens of the tools that go with a request now. */
export function wireTokens(registry: ToolRegistry): number {
  return tokensOf(registry.toLLMTools());
}

/** Tokens if these tools were loaded as well. Nothing is loaded. */
export function wireTokensWith(registry: ToolRegistry, names: readonly string[]): number {
  const fork = registry.fork();
  fork.activate([...names]);
  return wireTokens(fork);
}
