/** Checks the path of a field. */

import { StreamBufferArgumentError } from '../errors.js';
import type { FieldPath } from '../field.js';

export const pathShape = 'a key, or a list of keys and of whole numbers from 0 on';

/** Tells whether a value is the list form of a path. */
export function isPath(value: unknown): value is readonly (string | number)[] {
  if (!Array.isArray(value)) return false;
  return value.every((step) => typeof step === 'string' || (Number.isSafeInteger(step) && step >= 0));
}

export function checkPath(path: FieldPath): void {
  if (typeof path !== 'string') checkSteps(path);
}

function checkSteps(path: unknown): void {
  if (!isPath(path)) throw new StreamBufferArgumentError('path', pathShape, path);
}
