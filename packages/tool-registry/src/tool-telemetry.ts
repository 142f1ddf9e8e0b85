/** Telemetry: what a host's tracer or meter is told about calls, in OpenTelemetry's words and without its packages. */

/**
 * Attributes of few values, fit for spans and for metrics alike: `gen_ai.operation.name`, `gen_ai.tool.name` (of a
 * registered tool; a name that a model made up is left out), `gen_ai.tool.type`, and at the end of a failed call
 * `error.type`.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/#execute-tool-span
 */
export type ToolTelemetryAttributes = Readonly<Record<string, string>>;

/** A call that begins. */
export interface ToolCallStart {
  /** The name for a span: `execute_tool` and the tool. */
  readonly name: string;
  readonly attributes: ToolTelemetryAttributes;
  /** The provider's id of the call (`gen_ai.tool.call.id`): for spans, too many values for metrics. */
  readonly toolUseId: string | undefined;
}

/** A call that has ended. */
export interface ToolCallEnd {
  /** `error.type` for a call that failed: the result's `code`, `tool_failure` where the tool said so itself. */
  readonly attributes: ToolTelemetryAttributes;
  readonly success: boolean;
  /** False when the tool certainly did not run. */
  readonly started: boolean;
}

/** What the host keeps of a call while it runs. */
export interface ToolCallSpan {
  /** Runs the call inside the span, so that what the tool traces becomes its child. Has to call `work` and give back what it gave. */
  run?<T>(work: () => T): T;
  /** Called once. */
  end(end: ToolCallEnd): void;
}

/** Is told of every call, refused ones included. What it throws is logged and changes no call. */
export interface ToolTelemetry {
  startCall(start: ToolCallStart): ToolCallSpan | undefined;
}
