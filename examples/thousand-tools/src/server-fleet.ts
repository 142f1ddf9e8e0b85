/** Starts servers side by side, mounts their tools one server after another, and ends every process that it started. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolRegistry } from '@holdfast/tool-registry';
import { type McpRefusedTool, mountMcpTools, registryChecksOutputs } from '@holdfast/tool-registry/mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ServerSpec } from './servers.js';

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
/** How much of what a server complains of is kept, in characters. */
const COMPLAINT_LENGTH = 2_000;

/** Loaded into each server: some would outlive a host that is killed, and see nothing but the end of their input. */
export const END_WITH_HOST = `data:text/javascript,${encodeURIComponent(
  "process.stdin.on('end', () => setTimeout(() => process.exit(), 1000).unref())",
)}`;

export interface FleetOptions {
  /** Where servers run and write. */
  readonly folder: string;
  /** How long a server may take to start, and later each of its calls, in milliseconds. */
  readonly limitMs: number;
}

/** A server whose tools are mounted. */
export interface StartedServer {
  readonly server: string;
  readonly pid: number;
  readonly tools: number;
  readonly refused: readonly McpRefusedTool[];
}

/** A server that gives no tools, and why. */
export interface FailedServer {
  readonly server: string;
  readonly reason: string;
}

export interface FleetReport {
  readonly started: readonly StartedServer[];
  readonly failed: readonly FailedServer[];
}

interface Connection {
  readonly client: Client;
  readonly pid: number;
}

interface Process {
  readonly client: Client;
  readonly ended: Promise<void>;
}

export class ServerFleet {
  readonly #processes: Process[] = [];
  readonly #options: FleetOptions;
  #closed = false;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Mounts all tools as deferred. A server that does not start in time is reported and stops no other. */
  async start(registry: ToolRegistry, specs: readonly ServerSpec[]): Promise<FleetReport> {
    const connections = await Promise.allSettled(specs.map((spec) => this.#connect(spec)));
    const started: StartedServer[] = [];
    const failed: FailedServer[] = [];
    // In the order of the list: what is registered first goes on the wire first, and a prompt cache wants it to stay so.
    for (const [index, { server }] of specs.entries()) {
      try {
        const { client, pid } = settled(connections[index] as PromiseSettledResult<Connection>);
        const { report } = await mountMcpTools(registry, client, { server, timeoutMs: this.#options.limitMs });
        started.push({ server, pid, tools: report.added.length, refused: report.refused });
      } catch (error) {
        failed.push({ server, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return { started, failed };
  }

  /** Ends all servers: asked first, then with signals. May be called twice, and while they start. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#processes.map(end));
  }

  async #connect(spec: ServerSpec): Promise<Connection> {
    const transport = new StdioClientTransport({ ...(await this.#command(spec)), stderr: 'pipe' });
    let complaint = '';
    transport.stderr?.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-COMPLAINT_LENGTH);
    });
    if (this.#closed) throw new Error('The example is ending.');
    const ended = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    const client = new Client(
      { name: 'thousand-tools', version: '0.0.0' },
      { jsonSchemaValidator: registryChecksOutputs },
    );
    this.#processes.push({ client, ended });
    try {
      await client.connect(transport, { timeout: this.#options.limitMs });
      return { client, pid: transport.pid ?? 0 };
    } catch (error) {
      await end({ client, ended });
      throw new Error(`${(error as Error).message}${complaint && `; its last words: ${lastLine(complaint)}`}`);
    }
  }

  async #command({ package: name, args = [], env = {} }: ServerSpec) {
    const { folder } = this.#options;
    const place = (text: string) => text.replaceAll('$FOLDER', folder);
    return {
      command: process.execPath,
      args: ['--import', END_WITH_HOST, await commandFile(name), ...args.map(place)],
      env: {
        HOME: folder,
        ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, place(value)])),
      },
      cwd: folder,
    };
  }
}

/** Waits for the process itself: after a failed start the client closes by itself, and a second `close` waits for nothing. */
async function end({ client, ended }: Process): Promise<void> {
  await client.close();
  await ended;
}

/** The file of a package's first command. Run by Node itself, so that no shell or npx stands between us and its end. */
async function commandFile(name: string): Promise<string> {
  const folder = join(MODULES, name);
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { bin: string | object };
  const commands =
    typeof bin === 'string'
      ? [bin]
      : Object.entries(bin)
          .sort(serversFirst)
          .map(([, file]) => file);
  return join(folder, String(commands[0]));
}

/** Of several commands, the one that is called a server. */
function serversFirst([a]: [string, unknown], [b]: [string, unknown]): number {
  return Number(b.includes('server')) - Number(a.includes('server'));
}

function settled<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
