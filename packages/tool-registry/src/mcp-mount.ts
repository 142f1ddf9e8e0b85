/** Mounting a server: its tools become tools of the registry, and stay what the host has approved. */

import { isPlainObject } from '@holdfast/kernel';
import { ToolRegistryOptionError } from './errors.js';
import { McpMounting, type MountSettings } from './internal/mcp/mounting.js';
import { assertAvailability } from './internal/option-checks.js';
import type { McpClient, McpTool } from './mcp-client.js';
import type { ToolAvailability, ToolDefinition } from './tool-definition.js';
import type { ToolRegistry } from './tool-registry.js';

/** How a server is mounted. */
export interface McpMountOptions {
  /** The host's name for the server: in provenance, in the prefix, in errors. */
  readonly server: string;
  /** Put before every name; names that get illegal or too long are made legal by `toToolName`. Default: `mcp__<server>__`. */
  readonly prefix?: string | undefined;
  /** The state of new tools. Default: `deferred`. */
  readonly availability?: ToolAvailability | undefined;
  /** Whether the host believes the server's `readOnlyHint`, which lets tools run in plan mode. Default: false. */
  readonly readOnlyHintTrusted?: boolean | undefined;
  /**
   * How long a call, or a page of the list, is waited for, in milliseconds; `adapt` can give a tool another time. Default:
   * 60,000.
   */
  readonly timeoutMs?: number | undefined;
  /** The most characters of a result, text and base64 together; the rest is left out, and the text says so. Default: 5,000,000. */
  readonly maxResultLength?: number | undefined;
  /**
   * What {@link McpMount.approved} gave in an earlier process. A tool that is described differently now has drifted: it is
   * reported and not registered until it is approved.
   */
  readonly approved?: Readonly<Record<string, McpTool>> | undefined;
  /** Changes a definition before it is registered, or gives nothing to leave the tool out. The name has to stay. */
  readonly adapt?: ((definition: ToolDefinition, tool: McpTool) => ToolDefinition | undefined) | undefined;
}

/** A tool that could not be taken, and why. The name is the server's. */
export interface McpRefusedTool {
  readonly name: string;
  readonly reason: string;
}

/** A tool whose server now describes it differently. */
export interface McpToolDrift {
  /** The name in the registry. */
  readonly name: string;
  /** What the host approved, by mounting it or later. */
  readonly approved: McpTool;
  /** What the server says now. */
  readonly current: McpTool;
}

/** What a look at the server's list came to. Names are those of the registry. */
export interface McpMountReport {
  /** Registered now. */
  readonly added: readonly string[];
  /** Gone from the server, and from the registry. */
  readonly removed: readonly string[];
  /** Changed since they were approved; blocked until they are approved again or change back. */
  readonly drifted: readonly McpToolDrift[];
  /** Changed back to what was approved, and free again. */
  readonly restored: readonly string[];
  /** Could not be taken. */
  readonly refused: readonly McpRefusedTool[];
}

/** A mounted server. */
export interface McpMount {
  readonly server: string;
  /** What mounting came to. */
  readonly report: McpMountReport;
  /**
   * Looks at the server's list again; for `notifications/tools/list_changed`. One look after another: whoever calls during
   * one shares the next one and its report. Rejects with what the client rejects with, and then nothing has changed.
   */
  refresh(): Promise<McpMountReport>;
  /**
   * Takes over a changed definition.
   *
   * @throws {McpMountError} `ERR_HOLDFAST_MCP_MOUNT` when the server has changed it again since, or it cannot be taken
   */
  approve(drift: McpToolDrift): void;
  /** The definitions that the host has approved, by their names in the registry: plain JSON, to be kept for the next process. */
  approved(): Record<string, McpTool>;
  /** Takes the tools out of the registry; in forks they refuse to run. May be called twice. */
  unmount(): void;
}

/**
 * Registers the tools of a connected client. A tool that cannot be taken is reported and keeps no other from being
 * mounted: a name that is taken, a schema that cannot be checked, text that a person cannot see, more than 100,000
 * characters, a tool that runs only as a task.
 *
 * A definition that changes on the server is not taken over. The tool refuses to run, active ones are suspended, and the
 * report of {@link McpMount.refresh} shows both definitions, for {@link McpMount.approve}. A tool that was removed and
 * comes back changed counts as changed.
 *
 * Descriptions, schemas and results are text of a stranger: prompts escape the first, guardrails see the last.
 *
 * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION`
 * @throws {McpMountError} `ERR_HOLDFAST_MCP_MOUNT` for a list of more than 5,000 tools, or one that does not end
 */
export async function mountMcpTools(
  registry: ToolRegistry,
  client: McpClient,
  options: McpMountOptions,
): Promise<McpMount> {
  const mounting = new McpMounting(registry, readOptions(client, options));
  const report = await mounting.refresh();
  return {
    server: options.server,
    report,
    refresh: () => mounting.refresh(),
    approve: (drift) => mounting.approve(drift),
    approved: () => mounting.approved(),
    unmount: () => mounting.unmount(),
  };
}

function readOptions(client: McpClient, options: McpMountOptions): MountSettings {
  if (typeof client?.listTools !== 'function' || typeof client.callTool !== 'function') {
    throw new ToolRegistryOptionError('client', 'a connected client of MCP', client);
  }
  if (typeof options !== 'object' || options === null) {
    throw new ToolRegistryOptionError('options', 'an object that names the server', options);
  }
  const { server, prefix = `mcp__${server}__`, availability = 'deferred', approved = {}, adapt } = options;
  const { readOnlyHintTrusted = false, timeoutMs = 60_000, maxResultLength = 5_000_000 } = options;
  if (typeof server !== 'string' || server === '') throw new ToolRegistryOptionError('server', 'a name', server);
  if (typeof prefix !== 'string') throw new ToolRegistryOptionError('prefix', 'a text', prefix);
  assertAvailability('availability', availability);
  if (!isPlainObject(approved)) throw new ToolRegistryOptionError('approved', 'what approved() gave', approved);
  assertCount('timeoutMs', timeoutMs);
  assertCount('maxResultLength', maxResultLength);
  return {
    source: { client, server, prefix, readOnlyHintTrusted, timeoutMs, maxResultLength },
    availability,
    approved,
    adapt,
  };
}

function assertCount(option: string, value: unknown): void {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 2_147_483_647) {
    throw new ToolRegistryOptionError(option, 'an integer from 1 to 2147483647', value);
  }
}
