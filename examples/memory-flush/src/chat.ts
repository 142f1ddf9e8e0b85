/** A chat with a small window: it flushes its memory before it cuts its history, and looks things up afterwards. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type FlushMarkerStore, type MemoryFlushOutcome, runMemoryFlush, shouldFlush } from '@holdfast/flush-loop';
import { memoryFileTools, openFlushMarkerFiles, openMemoryFiles } from '@holdfast/flush-loop/memory-files';
import { type AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';

/** The window that the host grants, in tokens. Real windows are a hundred times as large. */
const WINDOW_TOKENS = 2_400;

export interface ChatOptions {
  /** Where notes and marks are kept. */
  readonly directory: string;
  /** The OpenAI-compatible endpoint; absent for OpenAI itself. */
  readonly baseURL?: string;
  readonly modelName: string;
  /** Cuts the history without writing anything down, to show what that loses. */
  readonly forget?: boolean;
}

/** What happened in one turn. */
export interface Turn {
  readonly answer: string;
  readonly contextTokens: number;
  readonly flush?: MemoryFlushOutcome;
  readonly compacted: boolean;
}

/** Opens a chat whose memory is in its directory. */
export async function openChat(options: ChatOptions): Promise<Chat> {
  const tools = memoryFileTools(await openMemoryFiles(join(options.directory, 'notes')));
  const marks = await openFlushMarkerFiles(join(options.directory, 'marks'));
  const model = new ChatOpenAI({
    model: options.modelName,
    maxRetries: 1,
    ...(options.baseURL && { apiKey: 'none', configuration: { baseURL: options.baseURL } }),
  });
  return new Chat(model, tools, marks, options.forget === true);
}

export class Chat {
  readonly #model: ChatOpenAI;
  readonly #tools: StructuredToolInterface[];
  readonly #marks: FlushMarkerStore;
  readonly #forget: boolean;
  /** A host that stores its messages stores this and the cycle with them: marks outlive the process. */
  readonly #id = randomUUID();
  #messages: BaseMessage[] = [new SystemMessage('You are a personal assistant.')];
  #cycle = 0;
  #contextTokens = 0;

  constructor(model: ChatOpenAI, tools: StructuredToolInterface[], marks: FlushMarkerStore, forget: boolean) {
    this.#model = model;
    this.#tools = tools;
    this.#marks = marks;
    this.#forget = forget;
  }

  /** Makes room where it is needed, asks the model, and keeps the answer. */
  async say(text: string): Promise<Turn> {
    const { flush, compacted } = await this.#makeRoom(text);
    const asked = [...this.#messages, new HumanMessage(text)];
    const agent = createAgent({ model: this.#model, tools: this.#forget ? [] : this.#toolsBut('memory_append') });
    const { messages } = await agent.invoke({ messages: asked });
    const last = messages.at(-1) as AIMessage | undefined;
    this.#messages = messages;
    this.#contextTokens = totalTokens(last?.usage_metadata);
    return { answer: last?.text ?? '', contextTokens: this.#contextTokens, compacted, ...(flush && { flush }) };
  }

  /** History is cut only when its memory is written, or when it never will be and the host has been told. */
  async #makeRoom(incoming: string): Promise<{ flush?: MemoryFlushOutcome; compacted: boolean }> {
    const need = shouldFlush({
      contextTokens: this.#contextTokens,
      incomingTokens: Math.ceil(incoming.length / 4),
      windowTokens: WINDOW_TOKENS,
      cycle: this.#cycle,
    });
    if (need.kind !== 'flush') return { compacted: false };
    if (this.#forget) {
      this.#compact();
      return { compacted: true };
    }
    const flush = await this.#flush();
    const compacted = flush.kind !== 'failed' && flush.kind !== 'busy';
    if (compacted) this.#compact();
    return { flush, compacted };
  }

  #flush(): Promise<MemoryFlushOutcome> {
    return runMemoryFlush({
      model: this.#model,
      tools: this.#tools.filter(({ name }) => name === 'memory_append'),
      history: this.#messages,
      maxIdenticalCalls: 2,
      mark: { store: this.#marks, conversationId: this.#id, cycle: this.#cycle },
    });
  }

  #toolsBut(name: string): StructuredToolInterface[] {
    return this.#tools.filter((tool) => tool.name !== name);
  }

  /** Keeps the system message and says that the rest is gone. */
  #compact(): void {
    this.#messages = [
      new SystemMessage(
        'You are a personal assistant. Earlier parts of this chat have been removed; look into your memory.',
      ),
    ];
    this.#cycle += 1;
    this.#contextTokens = 0;
  }
}

/** The provider's own count, which the client hands through. */
function totalTokens(usage: unknown): number {
  return (usage as { readonly total_tokens?: number } | undefined)?.total_tokens ?? 0;
}
