/** The real OpenAI client, watched while it streams. */
import {
  BaseCallbackHandler,
  type HandleLLMNewTokenCallbackFields,
  type NewTokenIndices,
} from '@langchain/core/callbacks/base';
import { ChatOpenAI } from '@langchain/openai';
import type { ModelSettings } from '../protocol.js';
import type { Stage } from './stage.js';

/** Characters of the e-mail's arguments after which the model is certainly in the middle of writing it. */
const MID_STREAM = 60;

export function createModel(settings: ModelSettings, watcher: StreamWatcher): ChatOpenAI {
  return new ChatOpenAI({
    model: settings.name,
    apiKey: settings.apiKey,
    temperature: 0,
    maxRetries: 2,
    callbacks: [watcher],
    ...(settings.baseUrl !== undefined && { configuration: { baseURL: settings.baseUrl } }),
  });
}

/** Tells the stage which call the model is writing, and stands still in the middle of the e-mail. */
export class StreamWatcher extends BaseCallbackHandler {
  override readonly name = 'stream-watcher';
  readonly #stage: Stage;
  readonly #onCall: (tool: string) => void;
  #tool = '';
  #characters = 0;
  #stoodStill = false;

  /** @param onCall Told once for each call, when the model begins to write it. */
  constructor(stage: Stage, onCall: (tool: string) => void) {
    super();
    // The stream waits for the handler, and the handler waits for the supervisor.
    this.awaitHandlers = true;
    this.#stage = stage;
    this.#onCall = onCall;
  }

  override async handleLLMNewToken(
    _token: string,
    _indices: NewTokenIndices,
    _runId: string,
    _parentRunId?: string,
    _tags?: string[],
    fields?: HandleLLMNewTokenCallbackFields,
  ): Promise<void> {
    const message = fields?.chunk && 'message' in fields.chunk ? fields.chunk.message : undefined;
    const chunks = message && 'tool_call_chunks' in message ? (message.tool_call_chunks as ToolCallChunk[]) : [];
    for (const chunk of chunks) await this.#see(chunk);
  }

  async #see(chunk: ToolCallChunk): Promise<void> {
    if (chunk.name) {
      this.#tool = chunk.name;
      this.#characters = 0;
      this.#onCall(chunk.name);
      this.#stage.call({ tool: chunk.name, state: 'streaming' });
    }
    this.#characters += chunk.args?.length ?? 0;
    if (this.#tool !== 'send_email' || this.#characters < MID_STREAM || this.#stoodStill) return;
    this.#stoodStill = true;
    await this.#stage.at('email-streaming');
  }
}

interface ToolCallChunk {
  readonly name?: string;
  readonly args?: string;
}
