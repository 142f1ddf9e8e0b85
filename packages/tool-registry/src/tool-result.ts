/** What comes out of a call, a refusal included. */

/** Why a call did not give the tool's own result. */
export type ToolRefusalCode =
  | 'unknown_tool'
  | 'not_allowed'
  | 'deferred'
  | 'suspended'
  | 'read_only_mode'
  | 'invalid_input'
  | 'changed'
  | 'aborted'
  | 'timeout'
  | 'tool_error'
  | 'invalid_result'
  | 'withheld';

/** The outcome of a call. */
export interface ToolExecutionResult {
  readonly success: boolean;
  /** The text for the model. A refusal says here what is wrong and how to go on. */
  readonly output: string;
  /** Set when the call failed; at most 2,000 characters. A refusal has the text of `output` here, cut to that. */
  readonly error?: string | undefined;
  /** The structured result, for the host. */
  readonly data?: unknown;
  /** Content blocks for the model (images, resource links), in the provider's or MCP's shape. */
  readonly content?: readonly unknown[] | undefined;
  /** True when the caller may not do this: a forbidden tool, or a writing tool in plan mode. */
  readonly permissionDenied?: boolean | undefined;
  /** True when the model can correct the call and try again. */
  readonly retryable?: boolean | undefined;
  /** Set by the registry, and only when it made this result itself. */
  readonly code?: ToolRefusalCode | undefined;
  /** Set by the registry, and false only when the tool certainly did not run: what a receipt has to know. */
  readonly started?: false | undefined;
}

/** A checked call: frozen, for one run, in the registry that prepared it. */
export interface PreparedToolExecution {
  readonly toolName: string;
  /** The validated input, deeply frozen. The tool is given an equal copy of its own. */
  readonly input: unknown;
}

/** Either a prepared execution, or the result that refuses the call. */
export type ToolPreparationResult =
  | { readonly success: true; readonly prepared: PreparedToolExecution }
  | { readonly success: false; readonly result: ToolExecutionResult };
