/** A legal tool name for any text. */

import { isToolName } from './tool-name.js';

const HASH_LENGTH = 13;
const STEM_LENGTH = 64 - HASH_LENGTH - 1;

/**
 * Derives a legal tool name. A legal name comes back as it is; where anything has to change, a hash of the whole
 * text is appended, so that different texts keep different names. The same text gives the same name on every
 * machine.
 */
export function toToolName(text: string): string {
  if (isToolName(text)) return text;
  const stem = text
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, STEM_LENGTH);
  return `${stem || 'tool'}_${hashText(text)}`;
}

/** FNV-1a with 64 bits over the UTF-16 code units, in base 36. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(HASH_LENGTH, '0');
}
