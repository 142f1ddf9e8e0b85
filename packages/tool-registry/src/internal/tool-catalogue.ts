/** The tools of one registry: which there are, in which order, in which state. Every change goes through here. */

import { isPlainObject } from '@holdfast/kernel';
import { ToolRegistryOptionError, UnknownToolError } from '../errors.js';
import type { LLMToolSchema, ToolAvailability, ToolDefinition } from '../tool-definition.js';
import { ToolNameCollisionError } from '../tool-name.js';
import type { ToolRegistryConfig, ToolTierConfig } from '../tool-registry-config.js';
import { type AdmittedTool, admitTool } from './admission.js';
import { assertKnown, assertNameList } from './option-checks.js';
import { SearchIndex } from './search/search-index.js';
import { splitWords, stem } from './search/words.js';
import { assertTierIds, renderWire, withTier } from './tiers.js';
import type { ToolDirectory, ToolState, ToolStates } from './tool-state.js';

/** All methods change everything or nothing. */
export class ToolCatalogue implements ToolDirectory {
  readonly #states = new Map<string, ToolState>();
  /** By slot of the index: a query that finds thousands would otherwise look up as many names. */
  readonly #bySlot: (ToolState | undefined)[] = [];
  readonly #tierConfig: ToolTierConfig | undefined;
  readonly isLoadedByProvider: boolean;
  #index: SearchIndex;

  constructor({ tierConfig, deferral, search }: ToolRegistryConfig) {
    this.#index = new SearchIndex(new Set((search?.stopWords ?? []).flatMap(splitWords).map(stem)));
    this.#tierConfig = tierConfig;
    this.isLoadedByProvider = deferral === 'provider';
  }

  /** By name, in the order of registration. */
  get states(): ToolStates {
    return this.#states;
  }

  get index(): SearchIndex {
    return this.#index;
  }

  stateAt(slot: number): ToolState {
    return this.#bySlot[slot] as ToolState;
  }

  /** Throws {@link UnknownToolError}. */
  state(name: string): ToolState {
    const state = this.#states.get(name);
    if (!state) throw new UnknownToolError([name]);
    return state;
  }

  /** Checks and adds tools, and gives their states. */
  add(definitions: readonly ToolDefinition[], initialState: ToolAvailability): ToolState[] {
    const tools = definitions.map((definition) => admitTool(definition, this.#tierConfig));
    this.#assertFree(tools);
    // All states are made before the first is kept: making one reads the host's object, which may throw.
    const states = tools.map((tool): ToolState => {
      const { definition } = tool;
      const availability = definition.pinned ? 'active' : initialState;
      return { tool, definition, wire: this.#render(tool, definition), availability };
    });
    for (const state of states) this.#states.set(state.tool.name, state);
    const slots = this.#index.add(tools.map((tool) => tool.document));
    for (const [at, state] of states.entries()) this.#bySlot[slots[at] ?? 0] = state;
    return states;
  }

  /** Takes over the tools of another catalogue that was made with the same configuration, in the given states. */
  adopt(other: ToolCatalogue, states: readonly ToolState[]): void {
    this.#index = other.#index.fork();
    for (const state of states) {
      const { name } = state.tool;
      this.#states.set(name, state);
      this.#bySlot[this.#index.slotOf(name) ?? 0] = state;
    }
  }

  /** Puts a tool in the place of the one with its name. */
  replace(definition: ToolDefinition): ToolState {
    const tool = admitTool(definition, this.#tierConfig);
    const state = this.state(tool.name);
    const wire = this.#render(tool, tool.definition);
    this.#index.add([tool.document]);
    return Object.assign(state, { tool, definition: tool.definition, wire });
  }

  remove(name: string): void {
    const slot = this.#index.slotOf(name);
    if (slot === undefined) return;
    this.#states.delete(name);
    this.#index.remove(name);
    this.#bySlot[slot] = undefined;
  }

  clear(): void {
    this.#states.clear();
    this.#index.clear();
    this.#bySlot.length = 0;
  }

  setAvailability(names: readonly string[], availability: ToolAvailability): void {
    assertKnown('names', names, this.#states);
    for (const name of names) this.state(name).availability = availability;
  }

  suspendAll(): void {
    for (const state of this.#states.values()) if (state.availability === 'active') state.availability = 'suspended';
  }

  /** Gives tools another tier each, and their new states. */
  assignTiers(mapping: Record<string, string>): ToolState[] {
    if (!isPlainObject(mapping)) throw new ToolRegistryOptionError('mapping', 'an object of tiers by name', mapping);
    assertKnown('mapping', Object.keys(mapping), this.#states);
    assertTierIds(Object.values(mapping), this.#tierConfig);
    return Object.entries(mapping).map(([name, tier]) => {
      const state = this.state(name);
      const definition = withTier(state.definition, tier);
      return Object.assign(state, { definition, wire: this.#render(state.tool, definition) });
    });
  }

  /** The tools in one of the states, in the order of registration; `toolNames` limits them. */
  withState(availabilities: readonly ToolAvailability[], toolNames?: readonly string[]): ToolState[] {
    if (toolNames !== undefined) assertNameList('toolNames', toolNames);
    const wanted = toolNames && new Set(toolNames);
    return [...this.#states.values()].filter(
      ({ availability, tool }) => availabilities.includes(availability) && (!wanted || wanted.has(tool.name)),
    );
  }

  #render(tool: AdmittedTool, { tier }: ToolDefinition): LLMToolSchema {
    return renderWire(tool, tier, this.#tierConfig);
  }

  #assertFree(tools: readonly AdmittedTool[]): void {
    const names = new Set<string>();
    for (const { name } of tools) {
      if (names.has(name)) throw new ToolNameCollisionError(name, 'twice in one list');
      if (this.#states.has(name)) throw new ToolNameCollisionError(name, 'register');
      names.add(name);
    }
  }
}

/** Checks that a definition is registered under its own name. */
export function assertOwnName(id: string, definition: ToolDefinition): void {
  const name: unknown = definition?.name;
  if (typeof name === 'string' && name !== id)
    throw new ToolRegistryOptionError('id', `the tool's own name "${name}"`, id);
}
