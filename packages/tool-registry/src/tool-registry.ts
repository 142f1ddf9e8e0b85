/** The registry: which tools there are, which a model may see, find and call, and the calls themselves. */

import {
  assertAvailability,
  assertDeferral,
  assertGuardrails,
  assertLogger,
  assertStopWords,
  assertTelemetry,
  readDeferExcept,
} from './internal/option-checks.js';
import { promptSection } from './internal/prompt-section.js';
import { anthropicTool, geminiFunction, openAIResponsesTool } from './internal/provider-forms.js';
import { searchHits, searchTools } from './internal/search/hits.js';
import { restoreStates, saveStates } from './internal/snapshot.js';
import { assertTierConfig, tiersByPriority } from './internal/tiers.js';
import { ToolCalls } from './internal/tool-calls.js';
import { assertOwnName, ToolCatalogue } from './internal/tool-catalogue.js';
import type { ToolState } from './internal/tool-state.js';
import { ManagedRegistry } from './managed-registry.js';
import type { AnthropicTool, GeminiTool, OpenAIResponsesTool } from './provider-tools.js';
import type { LLMToolSchema, ToolAvailability, ToolContext, ToolDefinition } from './tool-definition.js';
import type {
  ToolAvailabilityRestoration,
  ToolAvailabilitySnapshot,
  ToolRegistryConfig,
  ToolRegistryForkOptions,
} from './tool-registry-config.js';
import type { PreparedToolExecution, ToolExecutionResult, ToolPreparationResult } from './tool-result.js';
import type { ToolSearchHit, ToolSearchOptions } from './tool-search.js';

/**
 * Tools by name. Whatever the order of activation, tools go on the wire in the order of registration, as the same
 * frozen objects.
 */
export class ToolRegistry extends ManagedRegistry<ToolDefinition> {
  readonly #config: ToolRegistryConfig;
  readonly #catalogue: ToolCatalogue;
  readonly #calls: ToolCalls;

  /** @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for options that are malformed */
  constructor(config: ToolRegistryConfig = {}) {
    super();
    assertTierConfig(config.tierConfig);
    assertGuardrails('resultGuardrails', config.resultGuardrails ?? []);
    assertDeferral(config.deferral);
    assertTelemetry(config.telemetry);
    assertLogger(config.logger);
    assertStopWords(config.search?.stopWords);
    this.#config = config;
    this.#catalogue = new ToolCatalogue(config);
    this.#calls = new ToolCalls(this, this.#catalogue, config);
  }

  /**
   * An independent registry with the same tools in the same states. Registration, discovery and suspension in one do
   * not show in the other. Definitions, handlers and configuration are shared: this is neither a deep copy nor an
   * authorisation boundary. Prepared executions do not come along.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` when `deferExcept` is no list or repeats a name
   * @throws {InvalidToolNameError} `ERR_HOLDFAST_TOOL_NAME`
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL`
   */
  fork(options: ToolRegistryForkOptions = {}): ToolRegistry {
    const kept = readDeferExcept(options.deferExcept, this.#catalogue.states);
    const fork = new ToolRegistry(this.#config);
    const states = [...this.#catalogue.states.values()].map((state): ToolState => {
      const deferred = state.availability === 'active' && kept !== undefined && !kept.has(state.tool.name);
      return { ...state, availability: deferred ? 'deferred' : state.availability };
    });
    fork.#catalogue.adopt(this.#catalogue, states);
    for (const { tool, definition } of states) fork.#list(tool.name, definition);
    return fork;
  }

  /**
   * Adds one tool, or a list of them as a whole: when one of a list is refused, nothing is added. Schemas are rendered
   * here, once. The initial state is `active` unless given; a `pinned` tool is active in any case.
   *
   * @throws {InvalidToolNameError} `ERR_HOLDFAST_TOOL_NAME`
   * @throws {InvalidToolDefinitionError} `ERR_HOLDFAST_TOOL_DEFINITION`
   * @throws {ToolNameCollisionError} `ERR_HOLDFAST_TOOL_NAME_COLLISION`, also for a name that comes twice in a list
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for an unknown initial state
   */
  override register(id: string, tool: ToolDefinition): void;
  override register(tool: ToolDefinition, initialState?: ToolAvailability): void;
  override register(tools: ToolDefinition[], initialState?: ToolAvailability): void;
  override register(
    first: string | ToolDefinition | ToolDefinition[],
    second: ToolDefinition | ToolAvailability = 'active',
  ): void {
    const named = typeof first === 'string';
    if (named) assertOwnName(first, second as ToolDefinition);
    else assertAvailability('initialState', second);
    const tools = named ? [second as ToolDefinition] : Array.isArray(first) ? first : [first];
    const added = this.#catalogue.add(tools, named ? 'active' : (second as ToolAvailability));
    for (const { tool, definition } of added) this.#list(tool.name, definition);
  }

  /**
   * Puts a tool in the place of the registered one with its name. Place on the wire and state stay; calls that were
   * prepared before are refused.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL` when there is nothing to replace
   * @throws the errors of {@link ToolRegistry.register}
   */
  override replace(tool: ToolDefinition): void;
  override replace(id: string, tool: ToolDefinition): void;
  override replace(first: string | ToolDefinition, second?: ToolDefinition): void {
    if (typeof first === 'string') assertOwnName(first, second as ToolDefinition);
    const { tool, definition } = this.#catalogue.replace(
      typeof first === 'string' ? (second as ToolDefinition) : first,
    );
    super.replace(tool.name, definition);
  }

  override getOrThrow(id: string): ToolDefinition {
    return this.#catalogue.state(id).definition;
  }

  override unregister(id: string): boolean {
    this.#catalogue.remove(id);
    return super.unregister(id);
  }

  override clear(): void {
    this.#catalogue.clear();
    super.clear();
  }

  /**
   * Puts tools on the wire, deferred and suspended ones alike. All or none.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL` naming every unknown one
   */
  activate(names: string[]): void {
    this.#catalogue.setAvailability(names, 'active');
  }

  /**
   * Takes tools off the wire; search still finds them. All or none.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL` naming every unknown one
   */
  defer(names: string[]): void {
    this.#catalogue.setAvailability(names, 'deferred');
  }

  /** Suspends every active tool: all stay on the wire, none runs. Deferred tools stay deferred. */
  suspendAll(): void {
    this.#catalogue.suspendAll();
  }

  /** Tells whether any tool is suspended. */
  hasSuspended(): boolean {
    return this.#catalogue.withState(['suspended']).length > 0;
  }

  /**
   * The state of a tool.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL`
   */
  getAvailability(name: string): ToolAvailability {
    return this.#catalogue.state(name).availability;
  }

  /** The states of all tools as plain JSON, to be stored with a durable run. */
  saveAvailability(): ToolAvailabilitySnapshot {
    return saveStates(this.#catalogue.states);
  }

  /**
   * Gives every tool the state that it has in a snapshot. Names that no tool has are reported, not refused: servers
   * come and go between two runs. Tools that the snapshot does not mention keep their state.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed snapshot; nothing is changed
   */
  restoreAvailability(snapshot: ToolAvailabilitySnapshot): ToolAvailabilityRestoration {
    return restoreStates(this.#catalogue.states, snapshot);
  }

  /**
   * Deferred tools that answer a query, best first, ties by name in code unit order. Words of two letters or more that
   * are no stop words are looked up in name, server, title, description, argument names and descriptions, and
   * `searchTerms`. A query that is a tool's name, with or without the server's prefix and in any spelling, puts that
   * tool first; `select:name,name` finds exactly the tools with these names, at most 32. At most 512 characters and 32
   * words of any other query are read. Empty when nothing matches.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a query that is no string
   */
  searchDeferred(query: string): ToolDefinition[] {
    return searchTools(this.#catalogue, query, 'deferred');
  }

  /** Active tools that answer a query, ranked in the same way. */
  searchActive(query: string): ToolDefinition[] {
    return searchTools(this.#catalogue, query, 'active');
  }

  /**
   * The best tools for a query, each with the words that were found, as what and in which text, and the part of the
   * query that they make up. Ranked as by {@link ToolRegistry.searchDeferred}, or fused with an order of the host's.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for an option of the wrong shape
   */
  searchHits(query: string, options: ToolSearchOptions = {}): ToolSearchHit[] {
    return searchHits(this.#catalogue, query, options);
  }

  /**
   * Gives tools a tier each. All or none. The host's definitions are not touched: `get` gives a copy with the tier.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL`
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a tier that is not configured
   */
  assignTiers(mapping: Record<string, string>): void {
    for (const { tool, definition } of this.#catalogue.assignTiers(mapping)) super.replace(tool.name, definition);
  }

  /** What the host's template says about the tiers, in order of priority; `null` without a template. */
  toTierGuidance(): string | null {
    const { tierConfig } = this.#config;
    return tierConfig?.guidanceTemplate?.(tiersByPriority(tierConfig)) ?? null;
  }

  /** All names in the order of registration. */
  listNames(): string[] {
    return this.listIds();
  }

  /**
   * The prompt's section about tools: active ones by name, deferred ones with a one-line hint, in the order of
   * registration; those that the provider loads are left to it. `toolNames` limits it; unknown names are ignored. Empty
   * when there is nothing to list.
   */
  toPromptSection(toolNames?: string[]): string {
    const deferred = this.#catalogue.isLoadedByProvider ? [] : this.#catalogue.withState(['deferred'], toolNames);
    return promptSection(this.#catalogue.withState(['active'], toolNames), deferred);
  }

  /**
   * What goes on the wire: active and suspended tools in the order of registration, as frozen objects that stay the
   * same. `toolNames` limits it; unknown names are ignored and its order does not matter.
   */
  toLLMTools(toolNames?: string[]): LLMToolSchema[] {
    return this.#catalogue.withState(['active', 'suspended'], toolNames).map((state) => state.wire);
  }

  /**
   * The same for Anthropic's Messages API. With `deferral: 'provider'`, deferred tools are there too, marked
   * `defer_loading`; at least one tool has to be without the mark, as Anthropic's own search tool is. A tool with
   * `enforceModelInput` is `strict`: bounds that Anthropic cannot enforce are told in the description instead, and a
   * schema that refers to itself goes without.
   *
   * @throws {InvalidToolDefinitionError} `ERR_HOLDFAST_TOOL_DEFINITION` for an argument at the root whose name has others
   *   than 1 to 64 of `a-z A-Z 0-9 _ . -`, for which Anthropic refuses the whole request
   * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
   */
  toAnthropicTools(toolNames?: string[]): AnthropicTool[] {
    return this.#sent(toolNames).map(anthropicTool);
  }

  /**
   * The same for OpenAI's Responses API. With `deferral: 'provider'`, deferred tools are there too, marked
   * `defer_loading`; put `{ type: 'tool_search' }` beside them.
   *
   * @see https://developers.openai.com/api/docs/guides/tools-tool-search
   */
  toOpenAIResponsesTools(toolNames?: string[]): OpenAIResponsesTool[] {
    return this.#sent(toolNames).map(openAIResponsesTool);
  }

  /**
   * The same for Gemini: one tool with all functions, or none. Gemini loads no deferred tools.
   *
   * @throws {InvalidToolDefinitionError} `ERR_HOLDFAST_TOOL_DEFINITION` for a name that begins with a digit or `-`
   */
  toGeminiTools(toolNames?: string[]): GeminiTool[] {
    const functionDeclarations = this.#catalogue.withState(['active', 'suspended'], toolNames).map(geminiFunction);
    return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
  }

  /** The tools that a call can run now, in the order of registration: the active ones, and those the provider loads. */
  getCallableTools(toolNames?: string[]): ToolDefinition[] {
    const callable: ToolAvailability[] = this.#catalogue.isLoadedByProvider ? ['active', 'deferred'] : ['active'];
    return this.#catalogue.withState(callable, toolNames).map((state) => state.definition);
  }

  /**
   * Checks a call without running it. With a context: known, allowed, available, read-only mode, valid. Without one:
   * known, available, valid; refusals then name no other tool and show no schema of a deferred one, since the registry
   * cannot know what the caller may see. A schema that validates asynchronously is refused here.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  prepareExecution(toolName: string, rawInput: unknown, context: ToolContext): ToolPreparationResult;
  prepareExecution(toolName: string, rawInput: unknown): ToolPreparationResult;
  prepareExecution(toolName: string, rawInput: unknown, context?: ToolContext): ToolPreparationResult {
    return this.#calls.prepare(toolName, rawInput, context);
  }

  /**
   * The same for any schema, asynchronous ones included. The context's `abortSignal` and the tool's `timeoutMs` end the
   * waiting for the schema.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  prepareExecutionAsync(toolName: string, rawInput: unknown, context?: ToolContext): Promise<ToolPreparationResult> {
    return this.#calls.prepareAsync(toolName, rawInput, context);
  }

  /**
   * Runs a prepared call on an equal private copy of its input, once: the preparation is spent, whatever comes of it.
   * Allowed, available and read-only mode are checked here, whether or not they were before.
   *
   * @throws {ToolPreparationError} `ERR_HOLDFAST_TOOL_PREPARATION` for a preparation that is spent or not of this registry
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  executePrepared(prepared: PreparedToolExecution, context: ToolContext): Promise<ToolExecutionResult> {
    return this.#calls.executePrepared(prepared, context);
  }

  /**
   * Checks and runs a call: known, allowed, available, read-only mode, valid, in this order. What a model or a tool does
   * wrong is a result.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  execute(toolName: string, rawInput: unknown, context: ToolContext): Promise<ToolExecutionResult> {
    return this.#calls.execute(toolName, rawInput, context);
  }

  /** What a provider that can load deferred tools is sent. */
  #sent(toolNames: string[] | undefined): ToolState[] {
    const loaded: ToolAvailability[] = ['active', 'suspended'];
    const sent = this.#catalogue.isLoadedByProvider ? [...loaded, 'deferred' as const] : loaded;
    return this.#catalogue.withState(sent, toolNames);
  }

  #list(name: string, definition: ToolDefinition): void {
    super.register(name, definition);
  }
}
