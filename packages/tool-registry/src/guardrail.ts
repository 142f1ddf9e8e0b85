/** Guardrails: the host's last look at what a tool sends to the model. */

/**
 * Everything of a result that can reach the model, thrown text included (as `error`). Objects, arrays, maps, sets, dates
 * and bytes in `content` and `data` are copies: what the tool does to its own later does not get through.
 */
export interface ToolResultView {
  readonly toolName: string;
  readonly toolUseId?: string | undefined;
  readonly success: boolean;
  readonly output: string;
  readonly content?: readonly unknown[] | undefined;
  readonly data?: unknown;
  readonly error?: string | undefined;
}

/** What may be put in the place of a result. Fields that are left out are removed. */
export interface ToolResultReplacement {
  readonly output: string;
  readonly content?: readonly unknown[] | undefined;
  readonly data?: unknown;
  readonly error?: string | undefined;
}

/**
 * What becomes of a result: `pass` keeps it, `replace` puts a cleaned one in its place, `refuse` withholds it. The
 * reason is shown to the model. Any other value refuses.
 */
export type ToolResultVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'replace'; readonly result: ToolResultReplacement }
  | { readonly kind: 'refuse'; readonly reason?: string | undefined };

/**
 * Looks at the result of each call. A guardrail that throws refuses. One that takes long is waited for until the context's
 * `abortSignal` says otherwise, and the result is then kept back; `timeoutMs` is the tool's time alone.
 */
export interface ToolResultGuardrail {
  /** Named in the log when it refuses. */
  readonly name: string;
  inspect(view: ToolResultView): ToolResultVerdict | PromiseLike<ToolResultVerdict>;
}
