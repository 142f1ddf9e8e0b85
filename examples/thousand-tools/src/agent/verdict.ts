/** Whether a run went as it should, judged by what was sent and what was called. */

import type { LoggedCall } from './call-log.js';
import { type ChatRequest, loadedBySearches } from './chat.js';

export interface RunRecord {
  /** The bodies that went to the model, in order. */
  readonly requests: readonly ChatRequest[];
  readonly calls: readonly LoggedCall[];
  /** Whether the model ended with words. */
  readonly ended: boolean;
  /** The tool that the task is about; without it, any tool counts. */
  readonly expected: string | undefined;
}

/** One thing that had to hold. */
export interface Finding {
  readonly holds: boolean;
  readonly text: string;
}

export function judge({ requests, calls, ended, expected }: RunRecord): Finding[] {
  const ran = calls.filter(({ tool, started }) => started && tool !== 'search_tools');
  const [only] = ran;
  const right = ran.length === 1 && only?.success === true && (expected === undefined || only.tool === expected);
  const wanted = expected === undefined ? 'one tool' : expected;
  const strays = requests.flatMap(strayTools);
  return [
    { holds: ended, text: ended ? 'the model ended with an answer' : 'the model did not come to an answer' },
    {
      holds: right,
      text: right
        ? `${only?.tool} was called once, and succeeded`
        : `expected one call of ${wanted}, got ${ran.map(told).join(', ') || 'none'}`,
    },
    {
      holds: requests.length > 0 && strays.length === 0,
      text:
        strays.length === 0
          ? `the wire held search_tools and what was loaded, in all ${requests.length} requests`
          : `the wire was not what was loaded: ${strays.join(', ')}`,
    },
  ];
}

function told({ tool, success }: LoggedCall): string {
  return `${tool ?? 'an unknown tool'}${success ? '' : ' (failed)'}`;
}

/** Tools that a request has and should not have, or the other way round, by what it tells of searches itself. */
function strayTools({ messages, tools = [] }: ChatRequest, index: number): string[] {
  const sent = tools.map((tool) => tool.function.name);
  const due = ['search_tools', ...loadedBySearches(messages)];
  return [
    ...sent.filter((name) => !due.includes(name)).map((name) => `request ${index + 1} also had ${name}`),
    ...due.filter((name) => !sent.includes(name)).map((name) => `request ${index + 1} lacked ${name}`),
  ];
}
