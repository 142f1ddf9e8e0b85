/** Tools in the forms of providers other than OpenAI's chat: by shape, so that no SDK is needed. */

/**
 * A tool as Anthropic's Messages API takes it. Deeply frozen.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use
 */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { type: 'object'; properties?: unknown; required?: string[]; [keyword: string]: unknown };
  /** Present when the tool has `enforceModelInput` and its schema does not refer to itself. */
  readonly strict?: true;
  /** Present for a deferred tool where the provider loads those. */
  readonly defer_loading?: true;
}

/**
 * A tool as OpenAI's Responses API takes it. Deeply frozen.
 *
 * @see https://developers.openai.com/api/docs/guides/function-calling
 */
export interface OpenAIResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  /** Always written: the API takes a missing value for `true`. */
  readonly strict: boolean;
  /** Present for a deferred tool where the provider loads those. */
  readonly defer_loading?: true;
}

/** One function as Gemini takes it. Deeply frozen. */
export interface GeminiFunctionDeclaration {
  readonly name: string;
  readonly description: string;
  /** The whole JSON Schema; Gemini's older `parameters` knows only a part of it. */
  readonly parametersJsonSchema: Record<string, unknown>;
}

/**
 * All functions of one registry as one Gemini tool.
 *
 * @see https://ai.google.dev/gemini-api/docs/function-calling
 */
export interface GeminiTool {
  readonly functionDeclarations: GeminiFunctionDeclaration[];
}
