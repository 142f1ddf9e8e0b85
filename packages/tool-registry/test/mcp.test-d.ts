/** The clients of both official SDKs fit, and so does one that a host wraps. Checked by the compiler, not run. */

import { ToolRegistry } from '@holdfast/tool-registry';
import { jsonSchema } from '@holdfast/tool-registry/json-schema';
import { type McpClient, type McpMount, mountMcpTools, registryChecksOutputs } from '@holdfast/tool-registry/mcp';
import { Client as SuccessorClient } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expectTypeOf } from 'vitest';

const info = { name: 'a', version: '1' };
const client = new Client(info, { jsonSchemaValidator: registryChecksOutputs });
const successor = new SuccessorClient(info, { jsonSchemaValidator: registryChecksOutputs });
expectTypeOf(client).not.toBeAny();
expectTypeOf(successor).not.toBeAny();
expectTypeOf(client).toExtend<McpClient>();
expectTypeOf(successor).toExtend<McpClient>();

const registry = new ToolRegistry();
expectTypeOf(mountMcpTools(registry, client, { server: 'a' })).resolves.toEqualTypeOf<McpMount>();
// @ts-expect-error: a server needs a name
mountMcpTools(registry, client, {});
// @ts-expect-error: not a client
mountMcpTools(registry, { listTools: () => [] }, { server: 'a' });

interface SchemaOfAnother {
  type?: string;
}
jsonSchema({ type: 'object' } as SchemaOfAnother);
// @ts-expect-error: no schema
jsonSchema('object');
expectTypeOf(jsonSchema<{ a: string }>({ type: 'object' })['~standard'].types).toEqualTypeOf<
  { readonly input: unknown; readonly output: { a: string } } | undefined
>();
