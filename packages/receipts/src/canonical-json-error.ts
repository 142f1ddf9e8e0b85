/** The one error of canonical JSON: what was refused, and where. */

import { HoldfastError } from '@holdfast/kernel';

/**
 * Why a value has no canonical form.
 *
 * - `number`: `NaN`, an infinity, or an unsafe integer under `rejectUnsafeIntegers`
 * - `bigint`, `function`, `symbol`: a value of that type
 * - `class-instance`: an object that is not plain and has no `toJSON` (`Map`, `Error`, typed arrays, own classes)
 * - `hidden-property`: a symbol key, a named key on an array, or nothing but properties that are not enumerable
 * - `cycle`: an object that contains itself
 * - `depth`: more than 1,000 nested containers
 * - `size`: a text over `maxChars`
 */
export type CanonicalJsonReason =
  | 'number'
  | 'bigint'
  | 'function'
  | 'symbol'
  | 'class-instance'
  | 'hidden-property'
  | 'cycle'
  | 'depth'
  | 'size';

/**
 * A value has no canonical form. `path` says where it stands, as in `$.to[3]`, and is cut in the middle when long;
 * the value itself appears neither in the message nor in a field, because it may be a user's data.
 */
export class CanonicalJsonError extends HoldfastError {
  override readonly name = 'CanonicalJsonError';
  readonly code = 'ERR_HOLDFAST_CANONICAL_JSON';
  readonly reason: CanonicalJsonReason;
  readonly path: string;

  constructor(reason: CanonicalJsonReason, path: string, detail: string) {
    super(`No canonical JSON for ${path}: ${detail}`);
    this.reason = reason;
    this.path = path;
  }
}
