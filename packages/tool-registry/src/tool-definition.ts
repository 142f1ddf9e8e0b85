/** What a tool is, and what its handler is given. */

import type { AbortSignalLike } from '@holdfast/kernel';
import type { ToolResultGuardrail } from './guardrail.js';
import type { ToolRegistry } from './tool-registry.js';
import type { ToolExecutionResult } from './tool-result.js';

/**
 * What a tool's state means: `active` tools are on the wire and run; `deferred` ones are off the wire until search
 * or the host activates them; `suspended` ones stay on the wire, so that a cached prompt prefix holds, and refuse to
 * run.
 */
export type ToolAvailability = 'active' | 'deferred' | 'suspended';

/** A JSON Schema, or any part of one. */
export type JsonSchema = { readonly [key: string]: unknown };

/**
 * An input schema: any Standard Schema that also renders JSON Schema (zod 4.2, ArkType 2.1.28, Valibot through
 * `toStandardJsonSchema`, plain JSON Schema through `jsonSchema` of `./json-schema`, or one written by hand). Typed by shape, so no schema library is needed.
 *
 * @see https://standardschema.dev
 */
export interface ToolInputSchema<TInput = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => ToolInputValidation<TInput> | PromiseLike<ToolInputValidation<TInput>>;
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => JsonSchema };
    readonly types?: { readonly input: unknown; readonly output: TInput } | undefined;
  };
}

/** A Standard Schema verdict: the validated value, or the issues. */
export type ToolInputValidation<TInput> =
  | { readonly value: TInput; readonly issues?: undefined }
  | { readonly issues: readonly ToolInputIssue[] };

/** One thing that is wrong with an input. */
export interface ToolInputIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What the host hands to a call. The registry reads only these fields; a host adds its own by extending it. */
export interface ToolContext {
  /** The only tools that this caller may use. Absent: all of them. Empty: none. */
  readonly allowedTools?: readonly string[] | undefined;
  /** With mode `plan`, only tools run that are trusted to be read-only. */
  readonly permissionContext?: { readonly mode?: string | undefined } | undefined;
  /** Ends the waiting for the tool, and aborts the signal of {@link ToolCall}. */
  readonly abortSignal?: AbortSignalLike | undefined;
  /** The provider's id of the call, handed to guardrails. */
  readonly toolUseId?: string | undefined;
  /** Guardrails for this call, after those of the registry. */
  readonly resultGuardrails?: readonly ToolResultGuardrail[] | undefined;
}

/** One call, as the handler sees it beside input and context. */
export interface ToolCall {
  readonly toolName: string;
  /** The registry that runs the call: in a fork, the fork. */
  readonly registry: ToolRegistry;
  /** Aborted when the context's signal is, and when the tool's `timeoutMs` has passed. */
  readonly signal: AbortSignalLike;
}

/** Where a tool came from, when not from the host itself. */
export interface ToolProvenance {
  /** The server that offers the tool. */
  readonly server: string;
  /** Whether the host believes what this server says about read-only tools. Default: no. */
  readonly readOnlyHintTrusted?: boolean | undefined;
}

/** A tool: what the model is told, how its input is checked, and what runs. */
export interface ToolDefinition<TInput = unknown, TContext extends ToolContext = ToolContext> {
  /** Matches {@link TOOL_NAME_PATTERN}. */
  readonly name: string;
  /** Tells the model what the tool does. Its first sentence is the hint under which a deferred tool is listed. */
  readonly description: string;
  /** A name for persons. Search reads it. */
  readonly title?: string | undefined;
  /** Checks the input; rendered once, at registration, and shown to the model. Its root is an object schema. */
  readonly inputSchema: ToolInputSchema<TInput>;
  /** Shown to the model in the place of `inputSchema`, which still checks every call. */
  readonly modelInputSchema?: ToolInputSchema | JsonSchema | undefined;
  /** Asks the provider to decode within `modelInputSchema`, which has to be in the strict subset. */
  readonly enforceModelInput?: boolean | undefined;
  /** The JSON Schema of the result, appended to the description. */
  readonly outputSchema?: JsonSchema | undefined;
  /** A sentence of advice, appended to every validation failure of this tool. */
  readonly validationErrorHint?: string | undefined;
  /** The id of a tier of the registry's `tierConfig`. */
  readonly tier?: string | undefined;
  /** Further words under which search finds the tool. */
  readonly searchTerms?: readonly string[] | undefined;
  /** Registered as active, also in a list that is registered as deferred. */
  readonly pinned?: boolean | undefined;
  readonly provenance?: ToolProvenance | undefined;
  /** How long a call is waited for, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** What a repeated call does, handed through for receipts. The registry does not read it. */
  readonly effect?: string | undefined;
  /**
   * Tells whether a call with this input changes nothing. Exactly `true` counts, a throw does not. A function without
   * parameters is asked before the input is validated.
   */
  isReadOnly?(input: TInput): boolean;
  /** Does the work. The input is a copy of its own. What it throws becomes a failed result. */
  execute(input: TInput, context: TContext, call: ToolCall): ToolExecutionResult | PromiseLike<ToolExecutionResult>;
}

/** A tool as the OpenAI chat format, and whatever follows it, has it. Deeply frozen. */
export interface LLMToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    /** Present when the tool has `enforceModelInput`. */
    readonly strict?: true;
  };
}

/** Gives a definition back as it is; the type of the handler's input is inferred from the schema. */
export function defineTool<TInput, TContext extends ToolContext = ToolContext>(
  definition: ToolDefinition<TInput, TContext>,
): ToolDefinition<TInput, TContext> {
  return definition;
}
