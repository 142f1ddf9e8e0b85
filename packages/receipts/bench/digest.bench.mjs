/**
 * The `argsHash` of a call: canonical form and digest together, as ratios to what a host would write by hand,
 * `JSON.stringify` and `createHash` (which sorts nothing and keys nothing). Then the digests alone.
 *
 *     pnpm build && node bench/digest.bench.mjs
 *
 * Web Crypto works in other threads, which CPU time counts too; a busy event loop adds to its latency, which is not
 * measured.
 */

import { createHash } from 'node:crypto';
import { canonicalJson, hmacSha256Digest, sha256Digest, toolCallArgsHash } from '@holdfast/receipts';
import * as node from '@holdfast/receipts/node';
import { compare } from '../../../scripts/bench.mjs';
import { inputs } from './canonical-json-inputs.mjs';

const secret = 'a secret for benchmarks only';
const digests = {
  'sha256Digest, node': node.sha256Digest,
  'hmacSha256Digest, node': node.hmacSha256Digest(secret),
  'sha256Digest, Web Crypto': sha256Digest,
  'hmacSha256Digest, Web Crypto': hmacSha256Digest(secret),
};
const hex = (text) => createHash('sha256').update(text).digest('hex');
const entries = (run) => Object.fromEntries(Object.entries(digests).map(([name, digest]) => [name, () => run(digest)]));

for (const name of ['small bag, 5 keys', 'typical, 30 keys', 'a 64 KB document', '10,000 objects']) {
  const args = inputs[name];
  const text = canonicalJson(args);
  await compare(`${name}, arguments to hash`, {
    'JSON.stringify + createHash': () => hex(JSON.stringify(args)),
    ...entries((digest) => toolCallArgsHash(args, digest)),
  });
  await compare(`${name}, text to hash`, {
    createHash: () => hex(text),
    ...entries((digest) => digest(text)),
  });
}
