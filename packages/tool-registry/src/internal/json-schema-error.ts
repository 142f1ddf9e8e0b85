/** The mistake of the host, or of a server, that a schema is. */

import { HoldfastError } from '@holdfast/kernel';

/** A JSON Schema that cannot be checked. */
export class JsonSchemaError extends HoldfastError {
  override readonly name = 'JsonSchemaError';
  readonly code = 'ERR_HOLDFAST_JSON_SCHEMA';
  /** What is wrong, without the sentence around it. */
  readonly reason: string;

  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(`The JSON Schema ${reason}. Correct it, or leave the tool out.`, options);
    this.reason = reason;
  }
}
