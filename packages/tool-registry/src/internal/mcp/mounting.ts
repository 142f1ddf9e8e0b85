/** One mounted server: what was approved of it, what is registered, what has drifted. */

import { ToolRegistryOptionError } from '../../errors.js';
import type { McpTool } from '../../mcp-client.js';
import type { McpMountOptions, McpMountReport, McpRefusedTool, McpToolDrift } from '../../mcp-mount.js';
import { toToolName } from '../../to-tool-name.js';
import type { ToolAvailability, ToolDefinition } from '../../tool-definition.js';
import type { ToolRegistry } from '../../tool-registry.js';
import { describeThrown } from '../bounded-text.js';
import { defineMcpTool, type McpToolSource } from './define-mcp-tool.js';
import { type ListedTool, listAllTools, readTool } from './list-tools.js';
import { McpMountError } from './mcp-mount-error.js';

/** What is remembered of tools that went away has an end as well. */
const MAX_APPROVED = 10_000;

export interface MountSettings {
  readonly source: McpToolSource;
  readonly availability: ToolAvailability;
  readonly approved: Readonly<Record<string, McpTool>>;
  readonly adapt: McpMountOptions['adapt'];
}

/** A tool that the host has approved, also after it is gone: it may come back changed. */
interface Approved {
  readonly name: string;
  tool: McpTool;
  fingerprint: string;
  /** What is registered; `undefined` when the tool is not. */
  definition: ToolDefinition | undefined;
  /** Why it must not run, now. */
  blocked: string | undefined;
  /** The change that waits for approval. */
  drift: McpToolDrift | undefined;
  driftFingerprint: string | undefined;
  /** Whether this mount suspended it, and so may activate it again. */
  suspended: boolean;
}

type Taken = Extract<ListedTool, { ok: true }> & { readonly name: string };

interface Report {
  readonly added: string[];
  readonly removed: string[];
  readonly drifted: McpToolDrift[];
  readonly restored: string[];
  readonly refused: McpRefusedTool[];
}

export class McpMounting {
  readonly #registry: ToolRegistry;
  readonly #settings: MountSettings;
  readonly #approved = new Map<string, Approved>();
  #isMounted = true;
  /** The look that is under way, until it has ended either way. */
  #current: Promise<void> | undefined;
  /** The look that waits for its end. */
  #next: Promise<McpMountReport> | undefined;

  constructor(registry: ToolRegistry, settings: MountSettings) {
    this.#registry = registry;
    this.#settings = settings;
    for (const [name, kept] of Object.entries(settings.approved)) this.#remember(name, kept);
  }

  refresh(): Promise<McpMountReport> {
    // A server may announce changes without end: whoever asks during a look shares the one after it.
    if (this.#next === undefined && this.#current === undefined) return this.#look();
    this.#next ??= (this.#current ?? Promise.resolve()).then(() => this.#look());
    return this.#next;
  }

  approve(drift: McpToolDrift): void {
    const { server } = this.#settings.source;
    const approved = this.#approved.get(drift.name);
    if (!this.#isMounted || approved?.drift !== drift) {
      throw new McpMountError(server, `has no such change of "${drift.name}" that waits for approval`);
    }
    const tool = drift.current;
    const fingerprint = approved.driftFingerprint ?? approved.fingerprint;
    const refuse = (reason: string) => {
      throw new McpMountError(server, `has a tool "${drift.name}" that cannot be taken: ${reason}`);
    };
    const definition = this.#define(approved, { tool, fingerprint }, refuse);
    try {
      if (this.#owns(approved)) this.#replace(approved, definition);
      else if (definition) this.#register(approved, definition);
    } catch (error) {
      refuse(describeThrown(error));
    }
    Object.assign(approved, { tool, fingerprint });
    this.#free(approved);
  }

  /** Tools that went away are kept: they may come back changed. */
  approved(): Record<string, McpTool> {
    return Object.fromEntries([...this.#approved].map(([name, { tool }]) => [name, tool]));
  }

  unmount(): void {
    this.#isMounted = false;
    for (const approved of this.#approved.values()) this.#remove(approved, 'its server is not mounted any more');
  }

  #remember(name: string, kept: McpTool): void {
    const read = readTool(kept);
    if (!read.ok || toToolName(this.#settings.source.prefix + read.tool.name) !== name) {
      throw new ToolRegistryOptionError('approved', 'what approved() gave under the same prefix', kept);
    }
    this.#approved.set(name, newlyApproved(name, read.tool, read.fingerprint));
  }

  #look(): Promise<McpMountReport> {
    this.#next = undefined;
    const look = this.#refresh();
    const end = () => {
      this.#current = undefined;
    };
    this.#current = look.then(end, end);
    return look;
  }

  async #refresh(): Promise<McpMountReport> {
    const { source } = this.#settings;
    if (!this.#isMounted) throw new McpMountError(source.server, 'is not mounted any more');
    const listed = await listAllTools(source.client, source.server, source.timeoutMs);
    const report: Report = { added: [], removed: [], drifted: [], restored: [], refused: [] };
    if (this.#isMounted) this.#apply(listed, report);
    return report;
  }

  #apply(listed: readonly ListedTool[], report: Report): void {
    const seen = new Map<string, Taken>();
    for (const one of listed) {
      const name = toToolName(this.#settings.source.prefix + (one.ok ? one.tool.name : one.name));
      const reason = one.ok ? (seen.has(name) ? 'its name comes twice in the list' : taskReason(one.tool)) : one.reason;
      if (one.ok && reason === undefined) seen.set(name, { ...one, name });
      else report.refused.push({ name: one.ok ? one.tool.name : one.name, reason: reason ?? '' });
    }
    for (const approved of this.#approved.values()) {
      if (!seen.has(approved.name) && this.#remove(approved, 'its server does not offer it any more')) {
        report.removed.push(approved.name);
      }
    }
    for (const taken of seen.values()) this.#take(taken, report);
  }

  #take(taken: Taken, report: Report): void {
    const approved = this.#approved.get(taken.name);
    if (approved === undefined) {
      this.#add(taken, report);
    } else if (taken.fingerprint !== approved.fingerprint) {
      this.#block(approved, taken, report);
    } else if (approved.definition === undefined) {
      // It is back as it was. What the host itself took out of the registry stays out: that is still defined here.
      this.#free(approved);
      this.#add(taken, report);
    } else if (approved.drift !== undefined) {
      this.#free(approved);
      report.restored.push(approved.name);
    }
  }

  #add({ name, tool, fingerprint }: Taken, report: Report): void {
    const approved = this.#approved.get(name) ?? newlyApproved(name, tool, fingerprint);
    const refuse = (reason: string) => {
      report.refused.push({ name: tool.name, reason });
      return undefined;
    };
    if (this.#approved.size >= MAX_APPROVED && !this.#approved.has(name)) {
      return void refuse(`the server has offered more than ${MAX_APPROVED} different tools`);
    }
    const definition = this.#define(approved, { tool, fingerprint }, refuse);
    if (!definition) return;
    try {
      this.#register(approved, definition);
      this.#approved.set(name, approved);
      report.added.push(name);
    } catch (error) {
      refuse(describeThrown(error));
    }
  }

  #define(
    approved: Approved,
    { tool, fingerprint }: { readonly tool: McpTool; readonly fingerprint: string },
    refuse: (reason: string) => undefined,
  ): ToolDefinition | undefined {
    const { source, adapt } = this.#settings;
    // A definition that was replaced lives on in forks, where it must not run against the tool that took its name.
    const isCurrent = () => approved.fingerprint === fingerprint;
    try {
      const definition = defineMcpTool(tool, source, () => (isCurrent() ? approved.blocked : changed(approved.name)));
      const adapted = adapt ? adapt(definition, tool) : definition;
      if (adapted && adapted.name !== definition.name) return refuse(`adapt changed its name to ${adapted.name}`);
      return adapted;
    } catch (error) {
      return refuse(describeThrown(error));
    }
  }

  #register(approved: Approved, definition: ToolDefinition): void {
    this.#registry.register(definition, this.#settings.availability);
    approved.definition = definition;
  }

  #replace(approved: Approved, definition: ToolDefinition | undefined): void {
    if (definition) this.#registry.replace(definition);
    else this.#registry.unregister(approved.name);
    approved.definition = definition;
  }

  #block(approved: Approved, { tool, fingerprint }: Taken, report: Report): void {
    if (approved.driftFingerprint !== fingerprint || !approved.drift) {
      approved.drift = Object.freeze({ name: approved.name, approved: approved.tool, current: tool });
      approved.driftFingerprint = fingerprint;
    }
    approved.blocked = changed(approved.name);
    if (this.#owns(approved) && this.#registry.getAvailability(approved.name) === 'active') {
      this.#registry.restoreAvailability({ version: 1, tools: [[approved.name, 'suspended']] });
      approved.suspended = true;
    }
    report.drifted.push(approved.drift);
  }

  #free(approved: Approved): void {
    const wasSuspended = approved.suspended;
    Object.assign(approved, { blocked: undefined, drift: undefined, driftFingerprint: undefined, suspended: false });
    if (wasSuspended && this.#owns(approved) && this.#registry.getAvailability(approved.name) === 'suspended') {
      this.#registry.activate([approved.name]);
    }
  }

  #remove(approved: Approved, reason: string): boolean {
    const owned = this.#owns(approved);
    if (owned) this.#registry.unregister(approved.name);
    approved.definition = undefined;
    approved.drift = undefined;
    approved.blocked = `"${approved.name}" did not run: ${reason}.`;
    return owned;
  }

  /** Whether the registry still has what this mount put there: a tier makes a copy, with the same handler. */
  #owns({ name, definition }: Approved): boolean {
    return definition !== undefined && this.#registry.get(name)?.execute === definition.execute;
  }
}

function newlyApproved(name: string, tool: McpTool, fingerprint: string): Approved {
  return {
    name,
    tool,
    fingerprint,
    definition: undefined,
    blocked: undefined,
    drift: undefined,
    driftFingerprint: undefined,
    suspended: false,
  };
}

function changed(name: string): string {
  return `"${name}" did not run: its server has changed it since it was approved.`;
}

function taskReason({ execution }: McpTool): string | undefined {
  return execution?.taskSupport === 'required' ? 'it runs only as a task' : undefined;
}
