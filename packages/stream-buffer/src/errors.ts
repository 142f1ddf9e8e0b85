/** The mistakes of a caller. What a model or a provider sends is never one of them. */

import { describeValue, HoldfastError } from '@holdfast/kernel';

/** A piece of a tool call is not what the buffer can take: arguments that are not text, an id that is no string. */
export class StreamBufferPieceError extends HoldfastError {
  override readonly name = 'StreamBufferPieceError';
  readonly code = 'ERR_HOLDFAST_STREAM_BUFFER_PIECE';
  /** The call that the piece was meant for, when it is known. */
  readonly toolCallId: string | undefined;
  /** The part of the piece that is wrong, such as `args`. */
  readonly part: string;
  /** What came. */
  readonly received: unknown;

  constructor(toolCallId: string | undefined, part: string, expected: string, received: unknown) {
    const call = toolCallId === undefined ? 'A piece of a tool call' : `Tool call ${describeValue(toolCallId)}`;
    const wayOut = part === 'args' ? ' Serialize arguments that are a value with JSON.stringify first.' : '';
    super(`${call} expects its ${part} as ${expected}, got ${describeValue(received)}.${wayOut}`);
    this.toolCallId = toolCallId;
    this.part = part;
    this.received = received;
  }
}

/** An option of the buffer has a value that it cannot have. */
export class StreamBufferOptionError extends HoldfastError {
  override readonly name = 'StreamBufferOptionError';
  readonly code = 'ERR_HOLDFAST_STREAM_BUFFER_OPTION';
  readonly option: string;
  /** What came. */
  readonly received: unknown;

  constructor(option: string, expected: string, received: unknown) {
    super(`The option ${option} expects ${expected}, got ${describeValue(received)}. Leave it out for the default.`);
    this.option = option;
    this.received = received;
  }
}

/** A path or a listener is not what the buffer can take. */
export class StreamBufferArgumentError extends HoldfastError {
  override readonly name = 'StreamBufferArgumentError';
  readonly code = 'ERR_HOLDFAST_STREAM_BUFFER_ARGUMENT';
  readonly argument: 'path' | 'listener';
  /** What came. */
  readonly received: unknown;

  constructor(argument: 'path' | 'listener', expected: string, received: unknown) {
    super(`The argument ${argument} expects ${expected}, got ${describeValue(received)}.`);
    this.argument = argument;
    this.received = received;
  }
}

/** A text is no snapshot that this version of the buffer wrote. */
export class StreamBufferSnapshotError extends HoldfastError {
  override readonly name = 'StreamBufferSnapshotError';
  readonly code = 'ERR_HOLDFAST_STREAM_BUFFER_SNAPSHOT';
  /** The part of the snapshot that is wrong, such as `calls.0.id`. */
  readonly place: string;

  constructor(place: string, expected: string, received: unknown) {
    super(
      `A snapshot expects ${place} as ${expected}, got ${describeValue(received)}. ` +
        'Restore what serialize() of the same major version returned, unchanged.',
    );
    this.place = place;
  }
}
