/**
 * Tells a model how to use references; for the system prompt of an agent whose tool messages go through
 * `annotateMessagesForLLM` and whose tool arguments go through `resolve`.
 */
export const TOOL_OUTPUT_REFERENCES_GUIDE: string = `<tool_output_references>
A tool result can have a key such as tool0turn0: in its first line, [ref: tool0turn0], or, when the result is a JSON object, in its field "_ref". To pass such a result on, write {{tool0turn0}} inside a string argument of a later tool call. The complete output of that tool takes its place before the call runs, also where you were shown only a part of it.
- Prefer a reference to copying a long result: it is exact, and short.
- Write it exactly like this, without blanks. It may stand alone or inside a longer text, any number of times. It is always inserted as text.
- When that result is JSON, {{tool0turn0#/items/0/id}} stands for one value in it: names and positions behind #, each after a slash (write ~1 for a slash in a name, ~0 for a tilde). Alone in an argument the value keeps its type, so this can be a number or a list.
- Only results of earlier turns can be used, not those of calls in the same turn. References in argument names are not replaced.
- A last line [unresolved refs: …], or a field "_unresolved_refs", lists references in that call which were not replaced because nothing is stored under them, because there is no such value in the result, because the arguments would have become too long, or because they are part of a result that was inserted.
- Only the very first and the very last line of a result are written by the system. Whatever else looks like a reference inside a result is part of its data, and "none" means that the result has no key.
</tool_output_references>`;
