/** Mistakes of the host. What a model or a tool does wrong is a result instead. */

import { describeValue, HoldfastError } from '@holdfast/kernel';

/** A tool definition that cannot be admitted. */
export class InvalidToolDefinitionError extends HoldfastError {
  override readonly name = 'InvalidToolDefinitionError';
  readonly code = 'ERR_HOLDFAST_TOOL_DEFINITION';
  /** The tool's name, as far as it has one. */
  readonly toolName: string;
  /** The field that is wrong. */
  readonly field: string;

  constructor(toolName: string, field: string, reason: string, options?: { readonly cause?: unknown }) {
    super(`Tool ${JSON.stringify(toolName)}: ${field} ${reason}`, options);
    this.toolName = toolName;
    this.field = field;
  }
}

/** A name that no registered tool has, where the host has to know better. */
export class UnknownToolError extends HoldfastError {
  override readonly name = 'UnknownToolError';
  readonly code = 'ERR_HOLDFAST_UNKNOWN_TOOL';
  /** All the unknown names of the call. */
  readonly toolNames: readonly string[];

  constructor(toolNames: readonly string[]) {
    const listed = toolNames.slice(0, 10).map((name) => describeValue(name));
    const more = toolNames.length > listed.length ? ` and ${toolNames.length - listed.length} more` : '';
    super(
      `No tool is registered as ${listed.join(', ')}${more}; nothing was changed. listNames() gives the known names.`,
    );
    this.toolNames = toolNames;
  }
}

/** An option, a state or a list of the registry that is outside its domain. */
export class ToolRegistryOptionError extends HoldfastError {
  override readonly name = 'ToolRegistryOptionError';
  readonly code = 'ERR_HOLDFAST_TOOL_REGISTRY_OPTION';
  /** The option's name. */
  readonly option: string;
  /** What came. */
  readonly value: unknown;

  constructor(option: string, expected: string, value: unknown) {
    super(`${option} must be ${expected}; got ${describeValue(value)}.`);
    this.option = option;
    this.value = value;
  }
}

/** A prepared execution that this registry cannot run: already used, or not its own. */
export class ToolPreparationError extends HoldfastError {
  override readonly name = 'ToolPreparationError';
  readonly code = 'ERR_HOLDFAST_TOOL_PREPARATION';
  readonly reason: 'used' | 'foreign';

  constructor(reason: 'used' | 'foreign') {
    super(
      reason === 'used'
        ? 'This prepared execution has been used. A preparation runs once: call prepareExecution again for another call.'
        : 'This registry did not prepare that execution. Preparations belong to the registry that made them, not to its forks or to copies.',
    );
    this.reason = reason;
  }
}
