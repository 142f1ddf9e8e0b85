/** The registry: which tools there are, which a model may see, find and call, and the calls themselves. */

import { ToolRegistryOptionError } from './errors.js';
import { type CallContext, readContext } from './internal/call-context.js';
import { checkCall, checkCallNow, recheckCall } from './internal/check-call.js';
import { assertAvailability, assertGuardrails, assertKnown, assertNameList } from './internal/option-checks.js';
import { type Preparation, prepareCall, takePreparedCall } from './internal/prepared-call.js';
import { promptSection } from './internal/prompt-section.js';
import { runTool } from './internal/run-tool.js';
import { rankDocuments } from './internal/search.js';
import { restoreStates, saveStates } from './internal/snapshot.js';
import type { MaybePromise } from './internal/thenable.js';
import { assertTierConfig, tiersByPriority } from './internal/tiers.js';
import { assertOwnName, ToolCatalogue } from './internal/tool-catalogue.js';
import { type TracedCall, traceCall, traceRefusal } from './internal/trace-call.js';
import type { Validated } from './internal/validation.js';
import { splitWords } from './internal/words.js';
import { ManagedRegistry } from './managed-registry.js';
import type { LLMToolSchema, ToolAvailability, ToolContext, ToolDefinition } from './tool-definition.js';
import { assertToolName } from './tool-name.js';
import type {
  ToolAvailabilityRestoration,
  ToolAvailabilitySnapshot,
  ToolRegistryConfig,
  ToolRegistryForkOptions,
} from './tool-registry-config.js';
import type { PreparedToolExecution, ToolExecutionResult, ToolPreparationResult } from './tool-result.js';

/**
 * Tools by name. Whatever the order of activation, tools go on the wire in the order of registration, as the same
 * frozen objects.
 */
export class ToolRegistry extends ManagedRegistry<ToolDefinition> {
  readonly #config: ToolRegistryConfig;
  readonly #stopWords: ReadonlySet<string>;
  readonly #catalogue: ToolCatalogue;

  /** @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for tiers or guardrails that are malformed */
  constructor(config: ToolRegistryConfig = {}) {
    super();
    assertTierConfig(config.tierConfig);
    assertGuardrails('resultGuardrails', config.resultGuardrails ?? []);
    this.#config = config;
    this.#catalogue = new ToolCatalogue(config.tierConfig);
    this.#stopWords = new Set((config.search?.stopWords ?? []).flatMap(splitWords));
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
    const kept = this.#readDeferExcept(options.deferExcept);
    const fork = new ToolRegistry(this.#config);
    for (const [name, state] of this.#catalogue.states) {
      const deferred = state.availability === 'active' && kept !== undefined && !kept.has(name);
      fork.#catalogue.adopt({ ...state, availability: deferred ? 'deferred' : state.availability });
      fork.#list(name, state.definition);
    }
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
   * Deferred tools that answer a query, best first, ties by name in code unit order. A word counts when it has at least
   * three characters and is not a stop word; it is looked up in name, description and argument names. A query that is a
   * tool's name, with or without the server's prefix and in any spelling, puts that tool first. At most 512 characters
   * and 32 words of a query are read. Empty when nothing matches.
   */
  searchDeferred(query: string): ToolDefinition[] {
    return this.#search(query, 'deferred');
  }

  /** Active tools that answer a query, ranked in the same way. */
  searchActive(query: string): ToolDefinition[] {
    return this.#search(query, 'active');
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
   * registration. `toolNames` limits it; unknown names are ignored. Empty when there is nothing to list.
   */
  toPromptSection(toolNames?: string[]): string {
    return promptSection(
      this.#catalogue.withState(['active'], toolNames),
      this.#catalogue.withState(['deferred'], toolNames),
    );
  }

  /**
   * What goes on the wire: active and suspended tools in the order of registration, as frozen objects that stay the
   * same. `toolNames` limits it; unknown names are ignored and its order does not matter.
   */
  toLLMTools(toolNames?: string[]): LLMToolSchema[] {
    return this.#catalogue.withState(['active', 'suspended'], toolNames).map((state) => state.wire);
  }

  /** The tools that a call can run now: the active ones, in the order of registration. */
  getCallableTools(toolNames?: string[]): ToolDefinition[] {
    return this.#catalogue.withState(['active'], toolNames).map((state) => state.definition);
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
    const call = context === undefined ? undefined : readContext(context);
    const { states } = this.#catalogue;
    return this.#prepare(toolName, call, checkCallNow({ states, toolName, rawInput, context: call }));
  }

  /**
   * The same for any schema, asynchronous ones included. The context's `abortSignal` and the tool's `timeoutMs` end the
   * waiting for the schema.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  async prepareExecutionAsync(
    toolName: string,
    rawInput: unknown,
    context?: ToolContext,
  ): Promise<ToolPreparationResult> {
    const call = context === undefined ? undefined : readContext(context);
    const { states } = this.#catalogue;
    return this.#prepare(toolName, call, await checkCall({ states, toolName, rawInput, context: call }));
  }

  /**
   * Runs a prepared call on an equal private copy of its input, once: the preparation is spent, whatever comes of it.
   * Allowed, available and read-only mode are checked here, whether or not they were before.
   *
   * @throws {ToolPreparationError} `ERR_HOLDFAST_TOOL_PREPARATION` for a preparation that is spent or not of this registry
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  async executePrepared(prepared: PreparedToolExecution, context: ToolContext): Promise<ToolExecutionResult> {
    const call = readContext(context);
    const preparation = takePreparedCall(prepared, this);
    const { name } = preparation.tool;
    return await this.#traced(name, call, () => {
      const refused = recheckCall(this.#catalogue.states, preparation, call);
      return refused ?? this.#run(preparation, call);
    });
  }

  /**
   * Checks and runs a call: known, allowed, available, read-only mode, valid, in this order. What a model or a tool does
   * wrong is a result.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  async execute(toolName: string, rawInput: unknown, context: ToolContext): Promise<ToolExecutionResult> {
    const call = readContext(context);
    return await this.#traced(toolName, call, () => {
      const checked = checkCall({ states: this.#catalogue.states, toolName, rawInput, context: call });
      return checked instanceof Promise
        ? checked.then((late) => this.#runChecked(late, call))
        : this.#runChecked(checked, call);
    });
  }

  #prepare(toolName: string, call: CallContext | undefined, checked: Validated): ToolPreparationResult {
    if (checked.ok) return { success: true, prepared: prepareCall(checked, this) };
    if (this.#config.telemetry) traceRefusal(this.#tracedCall(toolName, call), checked.result);
    return { success: false, result: checked.result };
  }

  #runChecked(checked: Validated, call: CallContext): MaybePromise<ToolExecutionResult> {
    return checked.ok ? this.#run(checked, call) : checked.result;
  }

  #traced(
    toolName: string,
    call: CallContext,
    work: () => MaybePromise<ToolExecutionResult>,
  ): MaybePromise<ToolExecutionResult> {
    return this.#config.telemetry ? traceCall(this.#tracedCall(toolName, call), work) : work();
  }

  #tracedCall(toolName: string, call: CallContext | undefined): TracedCall {
    const isKnown = this.#catalogue.states.has(toolName);
    return { config: this.#config, toolName, isKnown, toolUseId: call?.toolUseId };
  }

  #run({ tool, input }: Preparation, context: CallContext): Promise<ToolExecutionResult> {
    return runTool({ tool, input, context, registry: this, config: this.#config });
  }

  #list(name: string, definition: ToolDefinition): void {
    super.register(name, definition);
  }

  #search(query: string, availability: ToolAvailability): ToolDefinition[] {
    if (typeof query !== 'string') throw new ToolRegistryOptionError('query', 'a string', query);
    const documents = this.#catalogue.withState([availability]).map(({ tool }) => tool.document);
    return rankDocuments(query, documents, this.#stopWords).map((name) => this.#catalogue.state(name).definition);
  }

  #readDeferExcept(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
    if (names === undefined) return undefined;
    assertNameList('deferExcept', names);
    for (const name of names) assertToolName(name);
    assertKnown('deferExcept', names, this.#catalogue.states);
    const kept = new Set(names);
    if (kept.size < names.length) throw new ToolRegistryOptionError('deferExcept', 'a list of unique names', names);
    return kept;
  }
}
