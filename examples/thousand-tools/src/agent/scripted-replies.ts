/**
 * What the local model answers. It knows no tool by heart: it searches with the words of its task, takes the first loaded
 * tool whose schema the task's JSON fits, calls it, and says what came of it.
 */

import { type ChatRequest, type ChatTool, contentOf, loadedBySearches } from './chat.js';

/** Words, or one call. */
export interface Reply {
  readonly content: string;
  readonly call?: { readonly name: string; readonly args: object };
}

export function replyTo({ messages, tools = [] }: ChatRequest): Reply {
  const task = contentOf(messages.findLast(({ role }) => role === 'user'));
  const { words, args } = readTask(task);
  const called = messages.flatMap(({ tool_calls }) => tool_calls ?? []).at(-1)?.function.name;
  const answer = contentOf(messages.findLast(({ role }) => role === 'tool'));
  if (called === undefined) return { content: '', call: { name: 'search_tools', args: { query: words } } };
  if (called !== 'search_tools') return { content: `Done. ${answer}` };
  const offered = loadedBySearches(messages).flatMap((name) => tools.find((tool) => tool.function.name === name) ?? []);
  const fitting = offered.find((tool) => takes(tool, args));
  if (fitting === undefined) return { content: 'I found no tool that takes this.' };
  return { content: '', call: { name: fitting.function.name, args } };
}

/** `words {json}`: what is wanted, and with what. */
export function readTask(task: string): { readonly words: string; readonly args: Record<string, unknown> } {
  const start = task.indexOf('{');
  if (start < 0) return { words: task, args: {} };
  try {
    return { words: task.slice(0, start).trim(), args: JSON.parse(task.slice(start)) as Record<string, unknown> };
  } catch {
    return { words: task, args: {} };
  }
}

function takes({ function: { parameters = {} } }: ChatTool, args: Record<string, unknown>): boolean {
  const known = Object.keys(parameters.properties ?? {});
  const given = Object.keys(args);
  return (parameters.required ?? []).every((key) => given.includes(key)) && given.every((key) => known.includes(key));
}
