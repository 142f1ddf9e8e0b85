/** A reply as it goes into the transcript: the model's own message, or a copy whose calls can all be answered. */

import { setOwn } from '@holdfast/kernel';
import type { AIMessage } from '@langchain/core/messages';
import { type PlannedCall, writtenId } from './planned-call.js';

type Fields = Record<string, unknown>;

/**
 * Gives the reply itself when each call stands in it as planned. Otherwise gives a copy of the same class in which
 * ids are unique, names are such as providers take back, and calls that were invalid are calls without arguments:
 * providers send only `tool_calls`, and an answer to a call that was not sent makes them refuse the history.
 */
export function repairReply(reply: AIMessage, calls: readonly PlannedCall[]): AIMessage {
  if (calls.every(standsAsPlanned)) return reply;
  // Read by names that are computed, and fields that not every version of the class declares.
  const source = reply as unknown as Fields;
  const changes: Fields = {
    tool_calls: calls.map(repairedCall),
    invalid_tool_calls: [],
    ...repairedList(source, 'content', calls, repairedBlock),
    ...repairedList(source, 'tool_call_chunks', calls, repairedEntry),
  };
  const raw = source['additional_kwargs'];
  if (typeof raw === 'object' && raw !== null) {
    const list = repairedList(raw as Fields, 'tool_calls', calls, repairedEntry);
    changes['additional_kwargs'] = { ...raw, ...list };
  }
  // LangChain serialises by `lc_kwargs`, and LangGraph writes into them.
  const kwargs = source['lc_kwargs'];
  if (typeof kwargs === 'object' && kwargs !== null) changes['lc_kwargs'] = { ...kwargs, ...changes };
  return copyWith(reply, changes);
}

function standsAsPlanned({ source, id, args, shownName, invalid }: PlannedCall): boolean {
  return !invalid && source.id === id && source.args === args && source.name === shownName;
}

function copyWith<T extends object>(original: T, changes: Fields): T {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(original);
  for (const [key, value] of Object.entries(changes)) {
    setOwn(descriptors, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return Object.create(Object.getPrototypeOf(original), descriptors) as T;
}

function repairedCall({ source, id, shownName, args, invalid }: PlannedCall): Fields {
  const call = { name: shownName, args, id };
  return invalid ? { ...call, type: 'tool_call' } : { ...source, ...call };
}

/** Rewrites the entries of a list that stand for calls; the n-th entry with an id stands for the n-th such call. */
function repairedList(
  owner: Fields,
  key: string,
  calls: readonly PlannedCall[],
  repair: (entry: Fields, take: (id: unknown) => PlannedCall | undefined) => Fields,
): Fields {
  const list = owner[key];
  if (!Array.isArray(list)) return {};
  const waiting = new Map<string, PlannedCall[]>();
  for (const call of [...calls].reverse()) {
    const id = writtenId(call.source.id);
    const sameId = waiting.get(id);
    if (sameId) sameId.push(call);
    else waiting.set(id, [call]);
  }
  const take = (id: unknown) => waiting.get(writtenId(id))?.pop();
  return { [key]: list.map((entry) => (typeof entry === 'object' && entry !== null ? repair(entry, take) : entry)) };
}

function repairedBlock(block: Fields, take: (id: unknown) => PlannedCall | undefined): Fields {
  const { type } = block;
  if (type !== 'tool_use' && type !== 'tool_call' && type !== 'invalid_tool_call') return block;
  const call = take(block['id']);
  if (!call) return block;
  const named = { ...block, id: call.id, name: call.shownName };
  if (!call.invalid) return named;
  return type === 'tool_use' ? { ...named, input: {} } : { ...named, type: 'tool_call', args: {} };
}

/** An entry of the provider's own list, `{ id, function: { name, arguments } }`, or a streamed chunk of a call. */
function repairedEntry(entry: Fields, take: (id: unknown) => PlannedCall | undefined): Fields {
  const call = take(entry['id']);
  if (!call) return entry;
  const { id, shownName: name, invalid } = call;
  const inner = entry['function'];
  if (typeof inner !== 'object' || inner === null) return { ...entry, id, name, ...(invalid && { args: '{}' }) };
  return { ...entry, id, function: { ...inner, name, ...(invalid && { arguments: '{}' }) } };
}
