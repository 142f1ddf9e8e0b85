/** The mistakes of a host that opens a memory. */

import { HoldfastError } from '@holdfast/kernel';

/** The folder of a memory cannot be used, or an option has a value that it cannot have. */
export class MemoryFilesError extends HoldfastError {
  override readonly name = 'MemoryFilesError';
  readonly code = 'ERR_HOLDFAST_MEMORY_FILES';

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
  }
}
