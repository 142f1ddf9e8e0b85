/** What a provider demands of a history, written without a look at the loop. */

interface Message {
  getType?(): string;
  readonly tool_calls?: readonly { readonly id?: unknown; readonly name?: unknown }[];
  readonly invalid_tool_calls?: readonly { readonly id?: unknown; readonly name?: unknown }[];
  readonly tool_call_id?: unknown;
  readonly content?: unknown;
}

/** Lists what is wrong with a transcript: calls without exactly one answer in order, answers to nothing, shared ids, odd names, half characters. */
export function transcriptFaults(transcript: readonly unknown[]): string[] {
  const faults: string[] = [];
  const seen = new Set<unknown>();
  let expected: unknown[] = [];
  transcript.forEach((entry, position) => {
    const message = entry as Message;
    if (message.getType?.() === 'tool') {
      if (expected.length === 0) faults.push(`${position}: an answer to nothing (${String(message.tool_call_id)})`);
      const next = expected.shift();
      if (next !== message.tool_call_id)
        faults.push(`${position}: answers ${String(message.tool_call_id)}, expected ${String(next)}`);
      if (typeof message.content !== 'string') faults.push(`${position}: the answer is no text`);
      if (/\p{Surrogate}/u.test(String(message.content))) faults.push(`${position}: the answer holds half a character`);
      return;
    }
    if (expected.length > 0) faults.push(`${position}: not answered: ${expected.join(', ')}`);
    expected = [];
    for (const call of [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])]) {
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(call.name))) faults.push(`${position}: a name that providers refuse`);
      if (typeof call.id !== 'string' || call.id === '') faults.push(`${position}: a call without an id`);
      if (seen.has(call.id)) faults.push(`${position}: the id ${String(call.id)} is used twice`);
      seen.add(call.id);
      expected.push(call.id);
    }
  });
  if (expected.length > 0) faults.push(`end: not answered: ${expected.join(', ')}`);
  return faults;
}
