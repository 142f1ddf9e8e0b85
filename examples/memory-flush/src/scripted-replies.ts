/** What the local model answers: it finds facts in the words that it is shown, and knows nothing else. */

/** A message of OpenAI's chat format, as far as the model reads it. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Words, or calls of tools. */
export interface Reply {
  readonly content: string;
  readonly calls: readonly { readonly name: string; readonly args: object }[];
}

const FILLER = 'I see. Let us go through the plan for the week once more, step by step, before we go on. ';

/** Answers a request. With `repeats` the model calls its first tool again and again, whatever it is told. */
export function replyTo({ messages, tools = [] }: ChatRequest, repeats = false): Reply {
  const can = (name: string) => tools.some((tool) => tool.function.name === name);
  if (can('memory_append')) return saveFacts(messages, repeats);
  const question = /\b(allergic|dog|dentist)\b[^?]*\?$/.exec(lastUserText(messages));
  if (question === null) return say(FILLER.repeat(6));
  const known = factAbout(question[1] as string, messages.map(contentOf).join('\n'));
  if (known !== undefined) return say(known);
  return can('memory_list') ? lookUp(messages) : say('I do not know.');
}

/** One note for each sentence that begins with "Remember:", and silence when all are written. */
function saveFacts(messages: readonly ChatMessage[], repeats: boolean): Reply {
  const facts = [...contentOf(messages[1]).matchAll(/Remember: ([^"\\]+?\.)/g)].map((found) => found[1] as string);
  const tried = messages.filter(({ role }) => role === 'tool').length;
  const next = repeats ? facts[0] : facts[tried];
  if (next === undefined) return say('NO_REPLY');
  return { content: '', calls: [{ name: 'memory_append', args: { path: 'user.md', text: next } }] };
}

function lookUp(messages: readonly ChatMessage[]): Reply {
  const answers = messages.filter(({ role }) => role === 'tool').map(contentOf);
  if (answers.length === 0) return { content: '', calls: [{ name: 'memory_list', args: {} }] };
  const { files = [] } = JSON.parse(answers[0] as string) as { readonly files?: readonly { readonly path: string }[] };
  const next = files[answers.length - 1];
  if (next === undefined) return say('I do not know.');
  return { content: '', calls: [{ name: 'memory_read', args: { path: next.path } }] };
}

function factAbout(word: string, text: string): string | undefined {
  const plain = text.replaceAll('\\n', '\n');
  return new RegExp(`[^.\\n"]*\\b${word}\\b[^.?\\n"]*\\.`).exec(plain)?.[0].replace('Remember:', '').trim();
}

function lastUserText(messages: readonly ChatMessage[]): string {
  return contentOf(messages.findLast(({ role }) => role === 'user'));
}

export function contentOf(message: ChatMessage | undefined): string {
  return typeof message?.content === 'string' ? message.content : '';
}

function say(content: string): Reply {
  return { content, calls: [] };
}
