/** Comes to a verdict over a finished text: from the text first, from the provider's reason second. */

import { getOwn, setOwn } from '@holdfast/kernel';
import type { InvalidVerdict, OpenField, Salvage, ToolCallVerdict } from '../verdict.js';
import type { CallText } from './call-text.js';
import { closeJson } from './close-json.js';
import { findFlaws } from './flaws.js';

/** Reasons by which providers say that they stopped before the model did. */
const cutReasons = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'model_context_window_exceeded',
  'incomplete',
  'content_filter',
  'safety',
  'recitation',
  'refusal',
  'malformed_function_call',
  'aborted',
  'cancelled',
  'error',
]);

/** Judges what has come of a text. */
export function judge(text: CallText, reason: string | undefined): ToolCallVerdict {
  const raw = text.value;
  const { limited, scanner } = text;
  const cut = limited || (reason !== undefined && cutReasons.has(reason.trim().toLowerCase()));
  if (scanner.blank && !cut) return { kind: 'empty', parsed: {}, closedJson: '{}' };
  // A root number may always go on, so here the reason decides.
  const whole = text.closed || (scanner.endsInRootNumber && !cut) ? parse(raw) : undefined;
  if (whole !== undefined) return { kind: 'complete', parsed: whole.value, closedJson: raw };
  const flaws = findFlaws(raw.slice(0, scanner.readTo));
  const fault = firstFault(raw, flaws) ?? scanner.broken;
  const closedJson = closeJson(raw, scanner, flaws);
  const salvage = salvageFrom(text, closedJson);
  if (fault !== undefined) return { kind: 'invalid', ...fault, salvage, closedJson };
  const position = raw.length;
  return { kind: 'truncated', position, ...(limited && { limit: 'characters' }), salvage, closedJson };
}

/** What JSON.parse says of a text that follows the grammar: it refuses faults inside strings, which were tolerated. */
function parse(raw: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(raw) };
  } catch {
    return undefined;
  }
}

function firstFault(
  raw: string,
  [position]: readonly number[],
): Pick<InvalidVerdict, 'problem' | 'position'> | undefined {
  if (position === undefined) return undefined;
  return { problem: raw[position] === '\\' ? 'bad_escape' : 'control_character', position };
}

function salvageFrom(text: CallText, closedJson: string): Salvage {
  const fields: Record<string, unknown> = {};
  let open: OpenField | undefined;
  const { root } = text.scanner;
  if (root?.kind === 'object' && root.children !== undefined && root.children.size > 0) {
    const values: Record<string, unknown> = JSON.parse(closedJson);
    for (const [key, node] of root.children) {
      const name = String(key);
      if (node.end !== undefined) setOwn(fields, name, getOwn(values, name));
      else open = { name, kind: node.kind, text: text.fieldAt(name)?.text ?? text.value.slice(node.start) };
    }
  }
  return open === undefined ? { fields } : { fields, open };
}
