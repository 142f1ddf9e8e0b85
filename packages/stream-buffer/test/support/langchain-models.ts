/** Chat models that stream a script, on two major versions of LangChain's core. */

import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import * as callbacks1 from '@langchain/core/callbacks/manager';
import * as models1 from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import * as messages1 from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import * as outputs1 from '@langchain/core/outputs';
import * as callbacks03 from '@langchain/core-03/callbacks/manager';
import * as models03 from '@langchain/core-03/language_models/chat_models';
import * as messages03 from '@langchain/core-03/messages';
import * as outputs03 from '@langchain/core-03/outputs';

export interface ScriptedChunk {
  readonly calls?: readonly {
    readonly id?: string;
    readonly index?: number;
    readonly name?: string;
    readonly args?: string;
  }[];
  readonly content?: string;
  readonly reason?: string;
}

/** A reply for each time that the model is asked. */
export type Script = readonly (readonly ScriptedChunk[])[];

interface Core {
  readonly CallbackManager: typeof callbacks1.CallbackManager;
  readonly BaseChatModel: typeof models1.BaseChatModel;
  readonly AIMessageChunk: typeof messages1.AIMessageChunk;
  readonly ChatGenerationChunk: typeof outputs1.ChatGenerationChunk;
}

/** The parts of core 0.3 have the same shapes and other brands. */
export const cores: Readonly<Record<'0.3.80' | '1.4.0', Core>> = {
  '0.3.80': { ...callbacks03, ...models03, ...messages03, ...outputs03 } as unknown as Core,
  '1.4.0': { ...callbacks1, ...models1, ...messages1, ...outputs1 },
};

/** How a model that wraps another hands its chunks on. */
export type Wrapping = 'same-chunks' | 'copied-chunks' | 'whole-at-the-end';

/** Makes the models of one core. */
export interface Models {
  scripted(script: Script): models1.BaseChatModel;
  wrapping(script: Script, wrapping: Wrapping): models1.BaseChatModel;
}

export function modelsOf(core: Core): Models {
  function toChunk({ calls = [], content = '', reason }: ScriptedChunk): ChatGenerationChunk {
    const message = new core.AIMessageChunk({
      content,
      tool_call_chunks: calls.map((call) => ({ type: 'tool_call_chunk' as const, ...call })),
      response_metadata: reason === undefined ? {} : { finish_reason: reason },
    });
    return new core.ChatGenerationChunk({ text: content, message });
  }

  async function joined(chunks: AsyncIterable<ChatGenerationChunk>): Promise<ChatResult> {
    let all: ChatGenerationChunk | undefined;
    for await (const chunk of chunks) all = all?.concat(chunk) ?? chunk;
    return { generations: all ? [all] : [] };
  }

  class ScriptedModel extends core.BaseChatModel {
    readonly #script: Script;
    #asked = 0;

    constructor(script: Script) {
      super({});
      this.#script = script;
    }

    override _llmType(): string {
      return 'scripted';
    }

    override bindTools(): this {
      return this;
    }

    override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
      return joined(this._streamResponseChunks(messages, options));
    }

    override async *_streamResponseChunks(
      _messages: BaseMessage[],
      _options: this['ParsedCallOptions'],
      run?: CallbackManagerForLLMRun,
    ): AsyncGenerator<ChatGenerationChunk> {
      for (const scripted of this.#script[this.#asked++] ?? []) {
        // Lets other models speak in between.
        await new Promise<void>((resolve) => setImmediate(resolve));
        const chunk = toChunk(scripted);
        yield chunk;
        await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
      }
    }
  }

  class WrappingModel extends core.BaseChatModel {
    readonly #inner: ScriptedModel;
    readonly #wrapping: Wrapping;

    constructor(inner: ScriptedModel, wrapping: Wrapping) {
      super({});
      this.#inner = inner;
      this.#wrapping = wrapping;
    }

    override _llmType(): string {
      return 'wrapping';
    }

    override bindTools(): this {
      return this;
    }

    override async _generate(
      messages: BaseMessage[],
      options: this['ParsedCallOptions'],
      run?: CallbackManagerForLLMRun,
    ): Promise<ChatResult> {
      return joined(this._streamResponseChunks(messages, options, run));
    }

    override async *_streamResponseChunks(
      messages: BaseMessage[],
      _options: this['ParsedCallOptions'],
      run?: CallbackManagerForLLMRun,
    ): AsyncGenerator<ChatGenerationChunk> {
      const held: ChatGenerationChunk[] = [];
      const callbacks = run && childOf(core, run);
      for await (const message of await this.#inner.stream(messages, callbacks && { callbacks })) {
        const chunk = this.#wrap(message);
        if (this.#wrapping === 'whole-at-the-end') held.push(chunk);
        else yield* this.#emit(chunk, run);
      }
      const [first, ...rest] = held;
      if (first)
        yield* this.#emit(
          rest.reduce((all, chunk) => all.concat(chunk), first),
          run,
        );
    }

    async *#emit(
      chunk: ChatGenerationChunk,
      run: CallbackManagerForLLMRun | undefined,
    ): AsyncGenerator<ChatGenerationChunk> {
      yield chunk;
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }

    #wrap(message: AIMessageChunk): ChatGenerationChunk {
      const { id: _, ...fields } = message.lc_kwargs;
      const copy = this.#wrapping === 'same-chunks' ? message : new core.AIMessageChunk(fields);
      return new core.ChatGenerationChunk({ text: message.text, message: copy });
    }
  }

  return {
    scripted: (script) => new ScriptedModel(script),
    wrapping: (script, wrapping) => new WrappingModel(new ScriptedModel(script), wrapping),
  };
}

/** The callbacks of a run inside another one, as chains make them. */
function childOf(core: Core, run: CallbackManagerForLLMRun): callbacks1.CallbackManager {
  const child = new core.CallbackManager(run.runId);
  const { inheritableHandlers } = run as unknown as {
    readonly inheritableHandlers: Parameters<callbacks1.CallbackManager['setHandlers']>[0];
  };
  child.setHandlers(inheritableHandlers);
  return child;
}
