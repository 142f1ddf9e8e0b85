/** The story: a call is written as it streams, breaks, and is gone on with. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCallVerdict } from '@holdfast/stream-buffer';
import type OpenAI from 'openai';
import { LiveFile } from './live-file.js';
import { type Claim, contentOf } from './proof.js';
import { runTurn, type TurnReport } from './turn.js';

const FILE = 'story.md';

export interface Story {
  readonly client: OpenAI;
  readonly model: string;
  readonly directory: string;
  readonly task: string;
  /** Shows text as it comes. */
  readonly show: (text: string) => void;
  readonly say: (line: string) => void;
  /** Cuts the first stream by stopping to read, where no server does. */
  readonly stopAfter?: number;
}

/** Runs both turns. `arrived` is the argument text of the first one. */
export async function liveWrite(story: Story): Promise<{ readonly arrived: string; readonly claims: Claim[] }> {
  const task: OpenAI.ChatCompletionMessageParam = { role: 'user', content: story.task };
  const { stopAfter } = story;
  const first = await writeTurn(story, [task], { start: 0, ...(stopAfter !== undefined && { stopAfter }) });
  const kept = fileText(story);
  const verdict = first.call?.verdict;
  story.say(
    `\n\n── ${first.failure ?? 'the stream ended'} · ${verdictLine(verdict)} · ${kept.length} characters in the file\n`,
  );
  const second = await writeTurn(story, [task, ...resumption(first)], { start: Buffer.byteLength(kept) });
  story.say(`\n\n── ${verdictLine(second.call?.verdict)}`);
  const whole = fileText(story);
  return {
    arrived: first.arrived,
    claims: [
      { text: 'the file held every character that arrived before the cut', holds: kept === contentOf(first.arrived) },
      { text: `the verdict said where it broke: ${verdictLine(verdict)}`, holds: saysWhere(first) },
      { text: 'the second turn was whole', holds: second.call?.verdict.kind === 'complete' },
      { text: 'the file is both turns joined', holds: whole === kept + contentOf(second.arrived) },
    ],
  };
}

async function writeTurn(
  { client, model, directory, show }: Story,
  messages: readonly OpenAI.ChatCompletionMessageParam[],
  { start, stopAfter }: { readonly start: number; readonly stopAfter?: number },
): Promise<TurnReport> {
  // The name is the host's, whatever path the model says.
  const file = new LiveFile(join(directory, FILE), start);
  try {
    return await runTurn({
      client,
      model,
      messages,
      onContent(delta) {
        file.write(delta);
        show(delta.text);
      },
      ...(stopAfter !== undefined && { stopAfter }),
    });
  } finally {
    file.close();
  }
}

/** Shows the model what there is of its call, as valid JSON, and asks for the rest. */
function resumption({ call }: TurnReport): OpenAI.ChatCompletionMessageParam[] {
  if (call === undefined) return [];
  const { id, name = 'write_file', verdict } = call;
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: verdict.closedJson } }],
    },
    { role: 'tool', tool_call_id: id, content: answerTo(verdict) },
  ];
}

function answerTo(verdict: ToolCallVerdict): string {
  if (verdict.kind === 'complete') return 'All of it is in the file. Call append_file with empty content.';
  const said = 'salvage' in verdict && verdict.salvage.open?.name === 'content' ? verdict.salvage.open.text : '';
  return said === ''
    ? 'The stream broke and the file is empty. Call append_file with the whole content.'
    : `The stream broke. The file ends with ${JSON.stringify(said.slice(-40))}. Call append_file with the rest, from the very next character on.`;
}

function saysWhere({ call, arrived }: TurnReport): boolean {
  // Cut before the call began: there is nothing to judge.
  if (call === undefined) return arrived === '';
  const { verdict } = call;
  return verdict.kind === 'truncated' ? verdict.position === arrived.length : verdict.kind === 'complete';
}

function verdictLine(verdict: ToolCallVerdict | undefined): string {
  if (verdict === undefined) return 'no call had begun';
  if (verdict.kind !== 'truncated') return verdict.kind;
  const field = verdict.salvage.open?.name;
  return `truncated after ${verdict.position} characters of arguments${field === undefined ? '' : `, inside "${field}"`}`;
}

function fileText({ directory }: Story): string {
  const path = join(directory, FILE);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
