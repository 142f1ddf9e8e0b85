/** Comes to a verdict over a finished text: from the text first, from the provider's reason second. */

import { getOwn, setOwn } from '@holdfast/kernel';
import type { InvalidVerdict, OpenField, Salvage, ToolCallVerdict } from '../verdict.js';
import type { CallText } from './call-text.js';
import { closeJson } from './close-json.js';
import type { JsonScanner } from './json-scanner.js';

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
  const fault = firstFault(raw, scanner);
  const cut = limited || (reason !== undefined && cutReasons.has(reason.trim().toLowerCase()));
  if (fault === undefined) {
    if (scanner.blank && !cut) return { kind: 'empty', parsed: {}, closedJson: '{}' };
    // A root number may always go on, so here the reason decides.
    if (text.closed || (scanner.endsInRootNumber && !cut)) {
      return { kind: 'complete', parsed: JSON.parse(raw), closedJson: raw };
    }
  }
  const closedJson = closeJson(raw, scanner);
  const salvage = salvageFrom(raw, closedJson, scanner);
  if (fault !== undefined) return { kind: 'invalid', ...fault, salvage, closedJson };
  const position = raw.length;
  return { kind: 'truncated', position, ...(limited && { limit: 'characters' }), salvage, closedJson };
}

function firstFault(raw: string, scanner: JsonScanner): Pick<InvalidVerdict, 'problem' | 'position'> | undefined {
  const [position] = scanner.flaws;
  if (position === undefined) return scanner.broken;
  return { problem: raw[position] === '\\' ? 'bad_escape' : 'control_character', position };
}

function salvageFrom(raw: string, closedJson: string, scanner: JsonScanner): Salvage {
  const fields: Record<string, unknown> = {};
  let open: OpenField | undefined;
  if (scanner.fields.size > 0) {
    const values: Record<string, unknown> = JSON.parse(closedJson);
    for (const { name, kind, start, text, closed } of scanner.fields.values()) {
      if (closed) setOwn(fields, name, getOwn(values, name));
      else open = { name, kind, text: text?.value ?? raw.slice(start) };
    }
  }
  return open === undefined ? { fields } : { fields, open };
}
