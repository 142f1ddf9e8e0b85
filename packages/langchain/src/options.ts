/** What `holdfastMiddleware` is given. */

import type {
  DigestFn,
  EffectResumability,
  ExecuteOnceOptions,
  ReceiptStore,
  ReconcileQuestion,
  Reconciliation,
} from '@holdfast/receipts';
import type { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import type { SearchToolOptions, ToolContext, ToolRegistry } from '@holdfast/tool-registry';
import type { BaseMessage } from '@langchain/core/messages';
import type { CallDecision } from './decision.js';

/** What is known about a run when one of its calls, or a model call, begins. */
export interface RunRequest {
  /** The run's messages so far. */
  readonly messages: readonly BaseMessage[];
  /** LangGraph's `configurable`: `thread_id`, and what the host passed beside it. */
  readonly configurable?: Readonly<Record<string, unknown>>;
  /** The agent's context, as the host passed it. */
  readonly context?: unknown;
  /** Aborts when the host cancels the run. */
  readonly signal?: AbortSignal;
}

/** Options of `holdfastMiddleware` and `HoldfastToolNode`. Each piece works without the others. */
export interface HoldfastOptions {
  /** Outputs as arguments: `{{tool0turn1}}` in a call becomes what that tool returned. */
  readonly references?: ReferenceOptions;
  /** A side effect happens once, however often its call is retried. */
  readonly receipts?: ReceiptOptions;
  /** Tools that the model sees, finds by search, and calls, each validated before it runs. */
  readonly tools?: RegistryOptions;
  /** Checks each reply of the model for calls that were cut off or broken. `false` switches the check off. */
  readonly replies?: ReplyOptions | false;
  /**
   * Names the run. It must be the same after a restart and different for work that shares nothing, since outputs and
   * receipts are found by it. Default: LangGraph's `thread_id`.
   */
  readonly runId?: (request: RunRequest) => string | undefined;
  /** Told what became of each call, and when a call waits for another attempt. What it throws ends the call. */
  readonly onDecision?: (decision: CallDecision) => void;
}

/** What happens to a call whose arguments name an output that does not exist. */
export type UnresolvedPolicy =
  /** A call with a side effect is refused; one without runs with the placeholder left in place. */
  | 'refuse-effects'
  /** Every such call is refused. */
  | 'refuse'
  /** Every such call runs with the placeholder left in place. */
  | 'run';

/** Options of the references. */
export interface ReferenceOptions {
  /** Holds the outputs while the process lives. After a restart it is filled again from the run's messages. */
  readonly registry: ToolOutputReferenceRegistry;
  /** Longest output, in characters, that the model reads whole; of longer ones it sees a preview. Default 8,000. */
  readonly previewLimit?: number;
  /** Default `'refuse-effects'`. In each case the model is told which references are missing. */
  readonly unresolved?: UnresolvedPolicy;
  /** Appends a few lines on the use of references to the system prompt. Default `true`. */
  readonly guide?: boolean;
}

/** Whether a tool changes the world outside, and whether an interrupted change can be taken up again. */
export type ToolEffect = EffectResumability | 'none';

/** The options of `executeOnce` that a host sets for all its tools, or for one of them. */
export type ExecutionOptions = Pick<
  ExecuteOnceOptions<unknown>,
  | 'leaseMs'
  | 'maxAttempts'
  | 'whenBusy'
  | 'waitLimitMs'
  | 'classifyError'
  | 'maxResultChars'
  | 'offload'
  | 'allowVolatile'
  | 'newToken'
  | 'now'
  | 'maxResends'
  | 'resendDelayMs'
>;

/** What a reconciler is asked, in the tool's terms. */
export interface ToolReconcileQuestion extends ReconcileQuestion {
  /** The arguments of the call, references resolved. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** How one tool's effect is treated. */
export interface EffectPolicy extends ExecutionOptions {
  readonly effect: ToolEffect;
  /**
   * Asked about an attempt of which nobody knows whether it took effect. `happened` carries the tool's output, as text
   * or as a value that is written as JSON.
   */
  readonly reconcile?: (question: ToolReconcileQuestion) => Promise<Reconciliation<unknown>>;
}

/** Options of the receipts. */
export interface ReceiptOptions extends ExecutionOptions {
  readonly store: ReceiptStore;
  /** Whose run it is: the first part of every key. */
  readonly tenantId: string | ((request: RunRequest) => string);
  /** Hashes the resolved arguments. Default SHA-256; a keyed digest hides arguments that are easy to guess. */
  readonly digest?: DigestFn;
  /** By tool name. For a tool that is not listed, its definition's `effect` counts, and then `defaultEffect`. */
  readonly effects?: Readonly<Record<string, ToolEffect | EffectPolicy>>;
  /** Default `'opaque'`: a tool of which nothing is known never runs twice on a guess. */
  readonly defaultEffect?: ToolEffect;
}

/** Options of the tool registry. */
export interface RegistryOptions {
  /** Shared by all runs; what one run activates stays in that run. */
  readonly registry: ToolRegistry;
  /** Offers `search_tools`, which finds deferred tools and makes them available to its run. Default `true`. */
  readonly search?: boolean | SearchToolOptions;
  /** What the tools of a run are given beside their input, and what it may call (`allowedTools`). Default: nothing. */
  readonly context?: (request: RunRequest) => ToolContext;
  /** Appends the registry's prompt section, which lists the deferred tools, to the system prompt. Default `true`. */
  readonly guide?: boolean;
}

/** Options of the reply check. */
export interface ReplyOptions {
  /** How often a reply with a broken call is asked for again before its broken calls are answered as errors. Default 2. */
  readonly maxRetries?: number;
  /** Told of each broken reply. */
  readonly onBrokenReply?: (report: BrokenReply) => void;
}

/** A reply with calls that cannot run. */
export interface BrokenReply {
  /** 0 for the first reply, then the number of the retry. */
  readonly retry: number;
  /** Whether the model is asked again. */
  readonly willRetry: boolean;
  readonly calls: readonly BrokenCall[];
}

/** A call that cannot run. */
export interface BrokenCall {
  /** The call's position in its reply, from 0. */
  readonly index: number;
  readonly toolName: string;
  /** `truncated`: cut off; `invalid`: not a JSON object; `unnamed`: no tool's name. */
  readonly kind: 'truncated' | 'invalid' | 'unnamed';
  /** What broke, in words for the model. */
  readonly reason: string;
}
