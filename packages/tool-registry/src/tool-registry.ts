/** The registry: which tools there are, which a model may see, find and call, and the calls themselves. */

import { ToolPreparationError, ToolRegistryOptionError, UnknownToolError } from './errors.js';
import { type AdmittedTool, admitTool } from './internal/admission.js';
import { type CallContext, readContext } from './internal/call-context.js';
import { frozenCopy } from './internal/copy-value.js';
import { refuseAccess, refuseWriter, refuseWritingInput } from './internal/gate.js';
import { assertAvailability, assertGuardrails, assertKnown, assertNameList } from './internal/option-checks.js';
import { promptSection } from './internal/prompt-section.js';
import { refuseChanged, refuseUnknown } from './internal/refusals.js';
import { runTool } from './internal/run-tool.js';
import { rankDocuments } from './internal/search.js';
import { readSnapshot } from './internal/snapshot.js';
import { assertTierConfig, assertTierIds, renderWire, tiersByPriority, withTier } from './internal/tiers.js';
import type { ToolState } from './internal/tool-state.js';
import { type Validated, validateInput } from './internal/validation.js';
import { splitWords } from './internal/words.js';
import { ManagedRegistry } from './managed-registry.js';
import type { LLMToolSchema, ToolAvailability, ToolContext, ToolDefinition } from './tool-definition.js';
import { assertToolName, ToolNameCollisionError } from './tool-name.js';
import type {
  ToolAvailabilityRestoration,
  ToolAvailabilitySnapshot,
  ToolRegistryConfig,
  ToolRegistryForkOptions,
} from './tool-registry-config.js';
import type { PreparedToolExecution, ToolExecutionResult, ToolPreparationResult } from './tool-result.js';

/** What a preparation holds: the tool as it was checked, and the input that it will run on. */
interface Preparation {
  readonly tool: AdmittedTool;
  readonly input: unknown;
}

/**
 * Tools by name. Whatever the order of activation, tools go on the wire in the order of registration, as the same
 * frozen objects.
 */
export class ToolRegistry extends ManagedRegistry<ToolDefinition> {
  readonly #config: ToolRegistryConfig;
  readonly #stopWords: ReadonlySet<string>;
  readonly #states = new Map<string, ToolState>();
  readonly #preparations = new WeakMap<PreparedToolExecution, Preparation | 'used'>();

  /** @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for tiers or guardrails that are malformed */
  constructor(config: ToolRegistryConfig = {}) {
    super();
    assertTierConfig(config.tierConfig);
    assertGuardrails('resultGuardrails', config.resultGuardrails ?? []);
    this.#config = config;
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
    for (const [name, state] of this.#states) {
      const deferred = state.availability === 'active' && kept !== undefined && !kept.has(name);
      fork.#commit({ ...state, availability: deferred ? 'deferred' : state.availability });
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
    if (typeof first === 'string') {
      this.#registerAll([this.#admitAs(first, second as ToolDefinition)], 'active');
      return;
    }
    assertAvailability('initialState', second);
    const tools = (Array.isArray(first) ? first : [first]).map((tool) => admitTool(tool, this.#config.tierConfig));
    this.#registerAll(tools, second as ToolAvailability);
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
    const tool =
      typeof first === 'string'
        ? this.#admitAs(first, second as ToolDefinition)
        : admitTool(first, this.#config.tierConfig);
    const state = this.#state(tool.name);
    state.tool = tool;
    this.#define(state, tool.definition);
  }

  override getOrThrow(id: string): ToolDefinition {
    return this.#state(id).definition;
  }

  override unregister(id: string): boolean {
    this.#states.delete(id);
    return super.unregister(id);
  }

  override clear(): void {
    this.#states.clear();
    super.clear();
  }

  /**
   * Puts tools on the wire, deferred and suspended ones alike. All or none.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL` naming every unknown one
   */
  activate(names: string[]): void {
    this.#setAvailability(names, 'active');
  }

  /**
   * Takes tools off the wire; search still finds them. All or none.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL` naming every unknown one
   */
  defer(names: string[]): void {
    this.#setAvailability(names, 'deferred');
  }

  /** Suspends every active tool: all stay on the wire, none runs. Deferred tools stay deferred. */
  suspendAll(): void {
    for (const state of this.#states.values()) if (state.availability === 'active') state.availability = 'suspended';
  }

  /** Tells whether any tool is suspended. */
  hasSuspended(): boolean {
    return this.#withState(['suspended']).length > 0;
  }

  /**
   * The state of a tool.
   *
   * @throws {UnknownToolError} `ERR_HOLDFAST_UNKNOWN_TOOL`
   */
  getAvailability(name: string): ToolAvailability {
    return this.#state(name).availability;
  }

  /** The states of all tools as plain JSON, to be stored with a durable run. */
  saveAvailability(): ToolAvailabilitySnapshot {
    return { version: 1, tools: [...this.#states].map(([name, state]) => [name, state.availability]) };
  }

  /**
   * Gives every tool the state that it has in a snapshot. Names that no tool has are reported, not refused: servers
   * come and go between two runs. Tools that the snapshot does not mention keep their state.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed snapshot; nothing is changed
   */
  restoreAvailability(snapshot: ToolAvailabilitySnapshot): ToolAvailabilityRestoration {
    const saved = readSnapshot(snapshot);
    const restored: string[] = [];
    for (const [name, state] of this.#states) {
      const availability = saved.get(name);
      if (availability === undefined) continue;
      state.availability = availability;
      restored.push(name);
    }
    return {
      restored,
      unknown: [...saved.keys()].filter((name) => !this.#states.has(name)),
      unmentioned: this.listNames().filter((name) => !saved.has(name)),
    };
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
    const tiers = Object.entries(mapping);
    assertKnown('mapping', Object.keys(mapping), this.#states);
    assertTierIds(Object.values(mapping), this.#config.tierConfig);
    for (const [name, tier] of tiers) {
      const state = this.#state(name);
      this.#define(state, withTier(state.definition, tier));
    }
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
    return promptSection(this.#withState(['active'], toolNames), this.#withState(['deferred'], toolNames));
  }

  /**
   * What goes on the wire: active and suspended tools in the order of registration, as frozen objects that stay the
   * same. `toolNames` limits it; unknown names are ignored and its order does not matter.
   */
  toLLMTools(toolNames?: string[]): LLMToolSchema[] {
    return this.#withState(['active', 'suspended'], toolNames).map((state) => state.wire);
  }

  /** The tools that a call can run now: the active ones, in the order of registration. */
  getCallableTools(toolNames?: string[]): ToolDefinition[] {
    return this.#withState(['active'], toolNames).map((state) => state.definition);
  }

  /**
   * Checks a call without running it. With a context: known, allowed, available, read-only mode, valid. Without one:
   * known, available, valid; refusals then name no other tool and show no schema of a deferred one, since the registry
   * cannot know what the caller may see.
   */
  prepareExecution(toolName: string, rawInput: unknown, context: ToolContext): ToolPreparationResult;
  prepareExecution(toolName: string, rawInput: unknown): ToolPreparationResult;
  prepareExecution(toolName: string, rawInput: unknown, context?: ToolContext): ToolPreparationResult {
    const checked = this.#check(toolName, rawInput, context === undefined ? undefined : readContext(context));
    if (!checked.ok) return { success: false, result: checked.result };
    const prepared = Object.freeze({ toolName, input: frozenCopy(checked.input) });
    this.#preparations.set(prepared, { tool: checked.tool, input: checked.input });
    return { success: true, prepared };
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
    const { tool, input } = this.#take(prepared);
    const state = this.#states.get(tool.name);
    if (!state) return refuseUnknown(tool.name, this.#states, call);
    const refused =
      refuseAccess(state, this.#states, call) ??
      (state.tool === tool ? undefined : refuseChanged(tool.name)) ??
      refuseWriter(tool, call) ??
      refuseWritingInput(tool, input, call);
    return refused ?? this.#run(tool, input, call);
  }

  /**
   * Checks and runs a call: known, allowed, available, read-only mode, valid, in this order. What a model or a tool does
   * wrong is a result.
   *
   * @throws {ToolRegistryOptionError} `ERR_HOLDFAST_TOOL_REGISTRY_OPTION` for a malformed context
   */
  async execute(toolName: string, rawInput: unknown, context: ToolContext): Promise<ToolExecutionResult> {
    const call = readContext(context);
    const checked = this.#check(toolName, rawInput, call);
    return checked.ok ? this.#run(checked.tool, checked.input, call) : checked.result;
  }

  #check(toolName: string, rawInput: unknown, context: CallContext | undefined): Validated {
    const state = this.#states.get(toolName);
    if (!state) return { ok: false, result: refuseUnknown(toolName, this.#states, context) };
    const refused = refuseAccess(state, this.#states, context) ?? refuseWriter(state.tool, context);
    if (refused) return { ok: false, result: refused };
    const validated = validateInput(state.tool, rawInput);
    const writing = validated.ok ? refuseWritingInput(state.tool, validated.input, context) : undefined;
    return writing ? { ok: false, result: writing } : validated;
  }

  #run(tool: AdmittedTool, input: unknown, context: CallContext): Promise<ToolExecutionResult> {
    return runTool({ tool, input, context, registry: this, config: this.#config });
  }

  #take(prepared: PreparedToolExecution): Preparation {
    const preparation = this.#preparations.get(prepared);
    if (preparation === undefined) throw new ToolPreparationError('foreign');
    if (preparation === 'used') throw new ToolPreparationError('used');
    this.#preparations.set(prepared, 'used');
    return preparation;
  }

  #admitAs(id: string, definition: ToolDefinition): AdmittedTool {
    const tool = admitTool(definition, this.#config.tierConfig);
    if (tool.name !== id) throw new ToolRegistryOptionError('id', `the tool's own name "${tool.name}"`, id);
    return tool;
  }

  #registerAll(tools: readonly AdmittedTool[], initialState: ToolAvailability): void {
    const names = new Set<string>();
    for (const { name } of tools) {
      if (names.has(name)) throw new ToolNameCollisionError(name, 'twice in one list');
      if (this.#states.has(name)) throw new ToolNameCollisionError(name, 'register');
      names.add(name);
    }
    // All states are made before the first is kept: making one reads the host's object, which may throw.
    const states = tools.map((tool): ToolState => {
      const { definition } = tool;
      const availability = definition.pinned ? 'active' : initialState;
      return { tool, definition, wire: renderWire(tool, definition.tier, this.#config.tierConfig), availability };
    });
    for (const state of states) this.#commit(state);
  }

  #commit(state: ToolState): void {
    super.register(state.tool.name, state.definition);
    this.#states.set(state.tool.name, state);
  }

  /** Puts another definition behind a state, in both places that hold it. */
  #define(state: ToolState, definition: ToolDefinition): void {
    super.replace(state.tool.name, definition);
    state.definition = definition;
    state.wire = renderWire(state.tool, definition.tier, this.#config.tierConfig);
  }

  #state(name: string): ToolState {
    const state = this.#states.get(name);
    if (!state) throw new UnknownToolError([name]);
    return state;
  }

  #setAvailability(names: readonly string[], availability: ToolAvailability): void {
    assertKnown('names', names, this.#states);
    for (const name of names) this.#state(name).availability = availability;
  }

  #withState(availabilities: readonly ToolAvailability[], toolNames?: readonly string[]): ToolState[] {
    if (toolNames !== undefined) assertNameList('toolNames', toolNames);
    const wanted = toolNames && new Set(toolNames);
    return [...this.#states.values()].filter(
      ({ availability, tool }) => availabilities.includes(availability) && (!wanted || wanted.has(tool.name)),
    );
  }

  #search(query: string, availability: ToolAvailability): ToolDefinition[] {
    if (typeof query !== 'string') throw new ToolRegistryOptionError('query', 'a string', query);
    const documents = this.#withState([availability]).map(({ tool }) => tool.document);
    return rankDocuments(query, documents, this.#stopWords).map((name) => this.#state(name).definition);
  }

  #readDeferExcept(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
    if (names === undefined) return undefined;
    assertNameList('deferExcept', names);
    for (const name of names) assertToolName(name);
    assertKnown('deferExcept', names, this.#states);
    const kept = new Set(names);
    if (kept.size < names.length) throw new ToolRegistryOptionError('deferExcept', 'a list of unique names', names);
    return kept;
  }
}
