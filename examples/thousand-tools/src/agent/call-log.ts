/** Counts the calls that reach tools, by the registry's telemetry. */

import type { ToolCallEnd, ToolCallSpan, ToolCallStart, ToolTelemetry } from '@holdfast/tool-registry';

export interface LoggedCall {
  /** Absent for a name that the model made up. */
  readonly tool: string | undefined;
  readonly started: boolean;
  readonly success: boolean;
}

export class CallLog implements ToolTelemetry {
  readonly calls: LoggedCall[] = [];

  startCall({ attributes }: ToolCallStart): ToolCallSpan {
    const tool = attributes['gen_ai.tool.name'];
    return {
      end: ({ started, success }: ToolCallEnd) => {
        this.calls.push({ tool, started, success });
      },
    };
  }
}
