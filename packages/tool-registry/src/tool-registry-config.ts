/** What a registry can be told when it is made. */

import type { ToolResultGuardrail } from './guardrail.js';
import type { ToolAvailability } from './tool-definition.js';
import type { ToolTelemetry } from './tool-telemetry.js';

/** Receives what a result cannot carry: the error behind a failed call, a result that came too late. */
export interface ToolRegistryLogger {
  warn(message: string, details: { readonly toolName: string; readonly error?: unknown }): void;
}

/** One tier: a group of tools that a model should try before or after others. */
export interface ToolTier {
  readonly id: string;
  /** Shown to the model. */
  readonly label: string;
  /** Tiers are given to the template in ascending order of priority. */
  readonly priority: number;
  readonly description?: string | undefined;
}

/** The tiers of a registry and how the model is told about them. */
export interface ToolTierConfig {
  readonly tiers: readonly ToolTier[];
  /** Writes the guidance from the tiers, in order of priority. Without it there is none. */
  readonly guidanceTemplate?: ((tiers: readonly ToolTier[]) => string) | undefined;
  /** Puts `[label] ` before the description of every tool that has a tier. Default: false. */
  readonly labelInDescription?: boolean | undefined;
}

/** How search reads a query. */
export interface ToolSearchConfig {
  /** Further words that say nothing in this catalogue, such as a product's name. */
  readonly stopWords?: readonly string[] | undefined;
}

/** Options of a registry. */
export interface ToolRegistryConfig {
  readonly logger?: ToolRegistryLogger | undefined;
  readonly tierConfig?: ToolTierConfig | undefined;
  /** Look at whatever a tool returned or threw, in this order, before the model does. */
  readonly resultGuardrails?: readonly ToolResultGuardrail[] | undefined;
  readonly search?: ToolSearchConfig | undefined;
  /**
   * Who loads deferred tools. `registry` (default): they are off the wire until search or the host activates them, and a
   * call to one is refused. `provider`: they go on the wire marked `defer_loading`, for Anthropic and OpenAI's Responses
   * API; the provider searches and loads them itself, so a call to one runs. Put the provider's search tool beside them.
   */
  readonly deferral?: 'registry' | 'provider' | undefined;
  /** Is told of every call. Default: nobody is. */
  readonly telemetry?: ToolTelemetry | undefined;
  /**
   * Recognises errors that are control flow of the host's engine, such as an interrupt. They leave `execute` and
   * `executePrepared` as they were thrown instead of becoming a failed result.
   */
  readonly rethrow?: ((error: unknown) => boolean) | undefined;
}

/** Options for an independent registry membership and availability snapshot. */
export interface ToolRegistryForkOptions {
  /**
   * Defer currently active tools outside this exact list. Omission preserves every availability; an empty list defers
   * every active tool. Listed tools that are already deferred or suspended keep that state. Names must be unique,
   * valid, registered names; a misspelling is refused.
   */
  readonly deferExcept?: readonly string[];
}

/** The state of every tool, as plain JSON: what a durable run stores. */
export interface ToolAvailabilitySnapshot {
  readonly version: 1;
  /** Name and state, in the order of registration. */
  readonly tools: readonly (readonly [name: string, availability: ToolAvailability])[];
}

/** What became of a snapshot. */
export interface ToolAvailabilityRestoration {
  /** Tools that now have the state of the snapshot. */
  readonly restored: readonly string[];
  /** Names in the snapshot that no tool has any more. */
  readonly unknown: readonly string[];
  /** Registered tools that the snapshot does not mention; their state is unchanged. */
  readonly unmentioned: readonly string[];
}
