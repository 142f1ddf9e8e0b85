/** The caller mistakes that this package throws. */

import { HoldfastError } from '@holdfast/kernel';

/** References and receipts need a run identity, and the request has none. */
export class RunIdMissingError extends HoldfastError {
  override readonly name = 'RunIdMissingError';
  readonly code = 'ERR_HOLDFAST_RUN_ID_MISSING';

  constructor() {
    super(
      'This run has no identity, so its outputs and receipts could not be found again after a restart. Invoke the agent ' +
        'with { configurable: { thread_id } }, or pass runId: (request) => … to Holdfast.',
    );
  }
}

/** An option is not usable. `option` names it. */
export class HoldfastOptionError extends HoldfastError {
  override readonly name = 'HoldfastOptionError';
  readonly code = 'ERR_HOLDFAST_LANGCHAIN_OPTION';
  readonly option: string;

  constructor(option: string, expected: string) {
    super(`The option ${option} must be ${expected}.`);
    this.option = option;
  }
}
