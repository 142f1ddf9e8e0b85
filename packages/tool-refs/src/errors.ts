import { HoldfastError } from '@holdfast/kernel';

/**
 * A host passed an argument or an option that cannot be meant. What a model writes never raises it.
 */
export class ToolReferenceArgumentError extends HoldfastError {
  override readonly name = 'ToolReferenceArgumentError';
  readonly code = 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT';
  /** Name of the argument or option. */
  readonly argument: string;
  /** The value that came. */
  readonly received: unknown;

  constructor(message: string, argument: string, received: unknown) {
    super(message);
    this.argument = argument;
    this.received = received;
  }
}
