/** The same chat four times: as it should be, with a failing disk, with a model that repeats itself, and without memory. */

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chat, type ChatOptions, openChat, type Turn } from './chat.js';
import type { ModelServer } from './model-server.js';

const FACTS = [
  'Remember: I am allergic to peanuts.',
  'Remember: my dog is called Pixel.',
  'Remember: the dentist expects me on Thursday at nine.',
];
const QUESTIONS = [
  ['What am I allergic to?', 'peanuts'],
  ['What is the name of my dog?', 'Pixel'],
  ['When does the dentist expect me?', 'Thursday'],
] as const;
const MAX_TURNS = 40;

/** What a scenario shows; `holds` when it went as its title says. */
export interface ScenarioReport {
  readonly title: string;
  readonly lines: readonly string[];
  readonly holds: boolean;
}

export interface World {
  readonly options: ChatOptions;
  /** The local model; absent when a real one answers. */
  readonly server?: ModelServer;
}

export async function longChat({ options }: World): Promise<ScenarioReport> {
  const story = new Story(await openChat(options));
  await story.talkUntil((turn) => turn.compacted);
  const right = await story.ask();
  const notes = await readNotes(options);
  return story.report('A long chat flushes, is cut, and answers from its memory', right === 3 && notes.length === 3);
}

export async function failingDisk({ options }: World): Promise<ScenarioReport> {
  const story = new Story(await openChat(options));
  const notes = join(options.directory, 'notes');
  // A file where the folder was: every append fails, as on a disk that is gone.
  await story.talkUntil((turn) => turn.contextTokens > 1_000);
  await rename(notes, `${notes}.gone`);
  await writeFile(notes, '');
  await story.talkUntil((turn) => turn.flush !== undefined);
  const failed = story.last?.flush?.kind === 'failed' && !story.last.compacted;
  await rm(notes, { recursive: true });
  await rename(`${notes}.gone`, notes);
  story.tell('the disk is back');
  await story.talkUntil((turn) => turn.compacted);
  const right = await story.ask();
  return story.report('A disk fails: nothing is cut before the memory is written', failed && right === 3);
}

export async function repeatingModel({ options, server }: World): Promise<ScenarioReport> {
  const story = new Story(await openChat(options));
  server?.setRepeats(true);
  await story.talkUntil((turn) => turn.flush !== undefined);
  const stopped = story.last?.flush?.kind === 'failed' && !story.last.compacted;
  server?.setRepeats(false);
  story.tell('the model is itself again');
  await story.talkUntil((turn) => turn.compacted);
  const right = await story.ask();
  const notes = await readNotes(options);
  const holds = stopped && right === 3 && notes.length === 3;
  return story.report('A model repeats itself: it is stopped, and its note is written once', holds);
}

export async function withoutMemory({ options }: World): Promise<ScenarioReport> {
  const story = new Story(await openChat({ ...options, forget: true }));
  await story.talkUntil((turn) => turn.compacted);
  const right = await story.ask();
  return story.report('Without a flush the same chat has forgotten', right === 0);
}

/** A chat and what there is to tell about it. */
class Story {
  readonly #chat: Chat;
  readonly #lines: string[] = [];
  #turns = 0;
  last: Turn | undefined;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  tell(line: string): void {
    this.#lines.push(line);
  }

  /** Tells the facts, then small talk, until `enough`. */
  async talkUntil(enough: (turn: Turn) => boolean): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const text = FACTS[this.#turns] ?? `And then? Tell me about day ${this.#turns} of the week.`;
      this.#turns += 1;
      this.last = await this.#chat.say(text);
      this.#tellTurn(this.last);
      if (enough(this.last)) return;
    }
    throw new Error(`Nothing happened in ${MAX_TURNS} turns.`);
  }

  async ask(): Promise<number> {
    let right = 0;
    for (const [question, word] of QUESTIONS) {
      const { answer } = await this.#chat.say(question);
      if (answer.includes(word)) right += 1;
      this.tell(`${question}  →  ${answer.slice(0, 80)}`);
    }
    return right;
  }

  report(title: string, holds: boolean): ScenarioReport {
    return { title, lines: this.#lines, holds };
  }

  #tellTurn({ contextTokens, flush, compacted }: Turn): void {
    if (flush === undefined && !compacted) return;
    const written = flush !== undefined && 'result' in flush ? `${flush.result.appendsSucceeded} notes written` : '';
    const reason = flush !== undefined && 'reason' in flush ? flush.reason : '';
    const parts = [
      `turn ${this.#turns}`,
      flush?.kind,
      written,
      reason,
      compacted && 'history cut',
      `${contextTokens} tokens`,
    ];
    this.tell(parts.filter(Boolean).join(' · '));
  }
}

async function readNotes({ directory }: ChatOptions): Promise<string[]> {
  const text = await readFile(join(directory, 'notes', 'user.md'), 'utf8');
  return text.match(/^## /gm) ?? [];
}
