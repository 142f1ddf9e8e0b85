/** The mistakes of a caller, and the two failures of a model that have no error of their own. */

import { describeValue, HoldfastError } from '@holdfast/kernel';

/** An option of the flush loop has a value that it cannot have. Nothing has been called when it is thrown. */
export class FlushLoopOptionError extends HoldfastError {
  override readonly name = 'FlushLoopOptionError';
  readonly code = 'ERR_HOLDFAST_FLUSH_LOOP_OPTION';

  constructor(
    readonly option: string,
    readonly value: unknown,
    expected: string,
  ) {
    super(`${option} must be ${expected}; got ${describeValue(value)}.`);
  }
}

/** `@langchain/core` could not be loaded when the first message had to be made. No tool has run when it is thrown. */
export class LangChainMissingError extends HoldfastError {
  override readonly name = 'LangChainMissingError';
  readonly code = 'ERR_HOLDFAST_LANGCHAIN_MISSING';

  constructor(cause: unknown) {
    super(
      'The flush loop makes LangChain messages and could not load @langchain/core/messages. ' +
        'Install it (npm install @langchain/core, 0.3.80 or later) or pass messageClasses.',
      { cause },
    );
  }
}

/** The model did not answer within `modelTimeoutMs`. It is never thrown: the result carries it as `error`. */
export class ModelTimeoutError extends HoldfastError {
  override readonly name = 'ModelTimeoutError';
  readonly code = 'ERR_HOLDFAST_MODEL_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(`The model did not answer within ${timeoutMs} ms. Raise modelTimeoutMs or look at the provider.`);
  }
}

/** The model answered with something that is no message. It is never thrown: the result carries it as `error`. */
export class ModelReplyError extends HoldfastError {
  override readonly name = 'ModelReplyError';
  readonly code = 'ERR_HOLDFAST_MODEL_REPLY';

  constructor(readonly reply: unknown) {
    super(`model.invoke must resolve to an AIMessage; got ${describeValue(reply)}.`);
  }
}
