/** What goes between a client and OpenAI's chat API, as far as this example reads it. */

export interface ChatCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly ChatCall[];
  readonly tool_call_id?: string;
}

export interface ChatTool {
  readonly function: {
    readonly name: string;
    readonly parameters?: { readonly properties?: object; readonly required?: readonly string[] };
  };
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
}

export function contentOf(message: ChatMessage | undefined): string {
  return typeof message?.content === 'string' ? message.content : '';
}

/** The tools that the searches in these messages have loaded, in the order of loading. */
export function loadedBySearches(messages: readonly ChatMessage[]): string[] {
  const searches = new Set(
    messages
      .flatMap(({ tool_calls }) => tool_calls ?? [])
      .filter((call) => call.function.name === 'search_tools')
      .map(({ id }) => id),
  );
  const answers = messages.filter(({ tool_call_id }) => tool_call_id !== undefined && searches.has(tool_call_id));
  return [...new Set(answers.flatMap((answer) => loadedNames(contentOf(answer))))];
}

function loadedNames(answer: string): string[] {
  try {
    const { loaded } = JSON.parse(answer) as { readonly loaded: readonly { readonly name: string }[] };
    return loaded.map(({ name }) => name);
  } catch {
    return []; // a refusal in words has loaded nothing
  }
}
