import type { ToolOutputClip, ToolOutputEviction, UnresolvedReference } from './events.js';

/**
 * Limits of a registry, and handlers for what it reports. Lengths are UTF-16 code units. Every limit is a whole number
 * above 0: there is no way to ask for none.
 */
export type ToolOutputReferenceRegistryOptions = {
  /** Longest output that is stored whole; the rest of a longer one is cut off. Default 400,000. */
  maxOutputSize?: number;
  /**
   * Most characters kept per run; the oldest outputs go first. Default twice `maxOutputSize`. Never more than
   * 5,000,000, whatever is asked for.
   */
  maxTotalSize?: number;
  /** Most runs kept at a time; the oldest run goes first, and taking a turn renews a run's place. Default 32. */
  maxActiveRuns?: number;
  /** Most outputs kept per run; the oldest go first. Default 1,000. */
  maxEntries?: number;
  /**
   * Longest arguments that resolving may produce, counted over all string values (for arguments that come as JSON
   * text: the text). A reference that would pass it stays in place and is listed as unresolved. Default 5,000,000,
   * at most 100,000,000.
   */
  maxResolvedSize?: number;
  /** Most ended runs whose turn count is remembered, so that a run that comes back repeats no key. Default 1,024. */
  maxEndedRuns?: number;
  /** Called when an output was too long to be stored whole. */
  onClip?: (event: ToolOutputClip) => void;
  /** Called when stored outputs were dropped to make room. */
  onEvict?: (event: ToolOutputEviction) => void;
  /** Called when a reference was left in place. */
  onUnresolved?: (event: UnresolvedReference) => void;
};

/** Arguments after resolving. */
export type ResolveResult<T> = {
  /**
   * The arguments with placeholders replaced: the very input when nothing was replaced, otherwise a copy that shares
   * its unchanged parts with the input. A string that was nothing but a reference with a pointer has become the value
   * there, of any JSON type, whatever `T` says of it.
   */
  resolved: T;
  /** References that stay in place, as written, each once, in order of first use. */
  unresolved: string[];
};

/** How references are resolved in one set of arguments. */
export interface ToolOutputResolveOptions {
  /**
   * Writes a text for the place where it goes, such as quoted for a shell. It is called for every text that goes in, with
   * the names and positions that lead to the string, from the arguments' root; what it returns goes in instead, and
   * counts for `maxResolvedSize` with the longer of the two lengths. Values that keep a JSON type of their own are not
   * texts. Without it, outputs go in verbatim.
   */
  readonly encode?: (value: string, path: ReadonlyArray<string | number>) => string;
}

/** Resolves against the outputs of a run as they were at one moment. */
export interface ToolOutputResolveView {
  resolve<T>(args: T, options?: ToolOutputResolveOptions): ResolveResult<T>;
}

/** Arguments that were resolved ahead of dispatch, by tool-call id. */
export type PreResolvedArgsMap = Map<string, { resolved: Record<string, unknown>; unresolved: string[] }>;

/** Resolved arguments of one batch, by tool-call id. */
export type ResolvedArgsByCallId = Map<string, Record<string, unknown>>;

/**
 * The fields that a host writes into `additional_kwargs` of a tool message, for `annotateMessagesForLLM` to read and
 * strip.
 */
export interface ToolMessageReferenceMetadata {
  /** Key of the stored output. */
  _refKey?: string;
  /** Run in which the key resolves; without it, the run that asks. */
  _refScope?: string;
  /** References that stayed in place in the call's arguments, as written. */
  _unresolvedRefs?: string[];
}
