/** A client of no server: lists and answers what the test says. */

import type { McpClient, McpTool } from '@holdfast/tool-registry/mcp';

export interface FakeClient {
  readonly client: McpClient;
  /** What the server lists; each entry is one page. */
  pages: unknown[][];
  /** What it answers to a call. */
  answer: (name: string, input: Record<string, unknown>) => unknown;
  readonly calls: { readonly name: string; readonly arguments?: Record<string, unknown> }[];
  readonly options: (object | undefined)[];
}

export function fakeClient(tools: unknown[] = []): FakeClient {
  const fake: FakeClient = {
    pages: [tools],
    answer: (name) => ({ content: [{ type: 'text', text: `from ${name}` }] }),
    calls: [],
    options: [],
    client: {
      async listTools(params) {
        const page = Number(params?.cursor ?? 0);
        const nextCursor = page + 1 < fake.pages.length ? String(page + 1) : undefined;
        return { tools: fake.pages[page] ?? [], ...(nextCursor !== undefined && { nextCursor }) };
      },
      async callTool(params, _schema, options) {
        fake.calls.push(params);
        fake.options.push(options);
        return fake.answer(params.name, params.arguments ?? {});
      },
    },
  };
  return fake;
}

export function mcpTool(name: string, parts: Partial<McpTool> = {}): McpTool {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...parts };
}
