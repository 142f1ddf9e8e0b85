/** The arguments' half of a receipt key. */

import { describeValue } from '@holdfast/kernel';
import { type CanonicalJsonOptions, canonicalJson } from './canonical-json.js';
import { DigestError } from './digest-error.js';

/**
 * Hashes a canonical text. Supplied by the host, since the package names no runtime; {@link sha256Digest} and
 * {@link hmacSha256Digest} are ready-made.
 *
 * Use a full-width cryptographic digest that is stable across restarts and versions: its value is stored, and
 * receipts under another value are not found. Tool arguments are easy to guess (a recipient's address), so a keyed
 * digest keeps readers of the table from confirming a guess.
 */
export type DigestFn = (canonical: string) => Promise<string>;

/**
 * Hashes a call's arguments into the `argsHash` of a {@link ToolCallReceiptKey}. Pass the arguments as parsed, with
 * references resolved, and not the output of a schema that coerced types.
 *
 * @throws {CanonicalJsonError} `ERR_HOLDFAST_CANONICAL_JSON` when the arguments have no canonical form.
 * @throws {DigestError} `ERR_HOLDFAST_DIGEST` when the digest gives no text: an empty hash would make all calls one.
 */
export async function toolCallArgsHash(
  args: unknown,
  digest: DigestFn,
  options?: CanonicalJsonOptions,
): Promise<string> {
  const hash: unknown = await digest(canonicalJson(args, options));
  if (typeof hash !== 'string' || hash === '') {
    throw new DigestError(`A digest must resolve to a non-empty string, and gave ${describeValue(hash)}.`);
  }
  return hash;
}
