/** The face of the package: every streamed tool call of one turn, by id. */

import { StreamBufferArgumentError, StreamBufferSnapshotError } from './errors.js';
import type { FieldDelta, FieldDeltaEvent, FieldPath, FieldText } from './field.js';
import { CallRouter } from './internal/call-router.js';
import { CallTable } from './internal/call-table.js';
import { parseSoFar } from './internal/close-json.js';
import { FieldFollower } from './internal/field-follower.js';
import { isKept, outcomeOf } from './internal/ingest-outcome.js';
import { judge } from './internal/judge.js';
import { checkPath } from './internal/read-path.js';
import { checkNumber, checkOptional, checkText, type NamedPiece, readPiece, realText } from './internal/read-piece.js';
import { Sequences } from './internal/sequences.js';
import { type BufferState, readSnapshot, snapshotVersion } from './internal/snapshot.js';
import type { ToolCall } from './internal/tool-call.js';
import { type ResolvedOptions, resolveOptions, type StreamBufferOptions } from './options.js';
import type { AppendOptions, IngestOutcome, ToolCallInfo, ToolCallPiece } from './piece.js';
import type { ToolCallVerdict } from './verdict.js';

/**
 * Accumulates the argument texts of streamed tool calls, reads their fields while they stream, and says at the end
 * whether each text was whole.
 *
 * Each character is looked at once, however often a field is read. Text that the buffer leaves out is always named in
 * a return value. Nothing here throws for what a model or a provider wrote.
 *
 * @example
 * ```ts
 * const buffer = new StreamingToolCallBuffer();
 * buffer.append('call_1', '{"action":"write","content":"func');
 * buffer.append('call_1', 'tion App() {');
 * buffer.extractFieldValue('call_1', 'content'); // 'function App() {'
 * buffer.takeFieldDelta('call_1', 'content'); // { kind: 'delta', text: 'function App() {', closed: false }
 * buffer.finish('call_1', 'length')?.kind; // 'truncated'
 * ```
 */
export class StreamingToolCallBuffer {
  readonly #options: ResolvedOptions;
  readonly #calls: CallTable;
  readonly #router: CallRouter;
  readonly #sequences: Sequences;
  readonly #followers = new Set<FieldFollower>();
  #isFollowed = false;

  /** @throws StreamBufferOptionError (`ERR_HOLDFAST_STREAM_BUFFER_OPTION`) for a policy or a limit that cannot be. */
  constructor(options: StreamBufferOptions = {}) {
    this.#options = resolveOptions(options);
    this.#calls = new CallTable({ ...this.#options, recording: 'root-fields' });
    this.#router = new CallRouter(this.#options.maxCalls, this.#options.names);
    this.#sequences = new Sequences(this.#options.maxCalls);
  }

  /**
   * Builds the buffer again that {@link StreamingToolCallBuffer.serialize} wrote, with its options. It goes on exactly
   * as that one would, field deltas included. Listeners are not part of a snapshot: add them again.
   *
   * @throws StreamBufferSnapshotError (`ERR_HOLDFAST_STREAM_BUFFER_SNAPSHOT`) if the text is no snapshot of this
   * version, or its parts contradict each other.
   */
  static restore(snapshot: string): StreamingToolCallBuffer {
    const state = readSnapshot(snapshot);
    const buffer = new StreamingToolCallBuffer(state.options);
    buffer.#takeOver(state);
    return buffer;
  }

  /**
   * Takes the next fragment of a call's argument text, and begins the call if it is new.
   *
   * A stream that says everything several times (wrapped models emit one event per wrapper) keeps one copy; see
   * {@link DuplicatePolicy}. A fragment that says the whole text again takes its place where joining it on would not
   * be JSON. `options.source` leaves no doubt about copies: the first source named owns the call.
   *
   * @returns `true` if the text now holds the fragment because of this call; `false` if the fragment was a copy, or
   * was refused by a limit. A copy that a later fragment disproves is put back.
   * @throws StreamBufferPieceError (`ERR_HOLDFAST_STREAM_BUFFER_PIECE`) if the fragment or the id is not a string.
   */
  append(toolCallId: string, argsChunk: string, options?: AppendOptions): boolean {
    checkText(toolCallId, 'id', toolCallId);
    checkText(toolCallId, 'args', argsChunk);
    const source = options?.source === undefined ? undefined : readSource(toolCallId, options.source);
    const call = this.#calls.findOrBegin(toolCallId);
    if (call === undefined) return false;
    const effect = call.append(argsChunk, source);
    if (this.#isFollowed) this.#tell(call);
    return isKept(effect);
  }

  /**
   * Takes a piece as the provider sent it and finds the call that it belongs to.
   *
   * An id wins; then the index; then the call spoken of last. Ids and names that are empty, blank, `null` or `"null"`
   * change nothing. A new id on a known index is a new call; so is what a name without an id begins behind a finished
   * text. Calls without an id get one made up, the same for the same pieces; an id that comes later, while the text is
   * under way, stands for the same call. A name that is repeated or changes under way is not joined; one that comes
   * with a text that replaces the call's text takes its name's place too.
   *
   * @throws StreamBufferPieceError (`ERR_HOLDFAST_STREAM_BUFFER_PIECE`) if a part is present and has the wrong type, such as
   * arguments that are an object.
   */
  ingest(piece: ToolCallPiece): IngestOutcome {
    const named = readPiece(piece, this.#calls.aliases);
    const { sequence, source = '' } = named;
    if (sequence !== undefined && this.#sequences.hasSeen(source, sequence)) {
      return { kind: 'replayed', started: false, appended: false };
    }
    const route = this.#router.route(named, this.#calls.byId);
    if (route.kind === 'none') return { kind: 'ignored', started: false, appended: false };
    if (route.kind === 'named-late') this.#calls.alias(route.call, route.id);
    const id = route.kind === 'new' ? this.#calls.makeUpId() : this.#calls.idOf(route.id);
    const started = !this.#calls.byId.has(id);
    const call = route.kind === 'new' ? this.#calls.begin(id, 'made-up') : this.#calls.findOrBegin(id);
    // Also after a refusal: what follows belongs to the refused call, not to the one before.
    this.#router.follow(named, id, started);
    if (call === undefined) return { kind: 'refused', limit: 'calls', id, started: false, appended: false };
    call.started = true;
    call.namedAgain ||= repeatsName(call, named);
    this.#name(call, route.kind === 'new' ? route.name : named.name, named.source);
    if (named.text === undefined || named.text === '') return { kind: 'noted', id, started, appended: false };
    const { replacements } = call.text;
    const effect = call.append(named.text, named.source);
    // Another text took the place of this one: a name that came with it is the name of what is there now.
    if (effect === 'restated' && call.text.replacements > replacements) call.name = named.name ?? call.name;
    this.#tell(call);
    return outcomeOf(id, started, effect);
  }

  /** The ids of the calls, in the order in which they began. */
  ids(): string[] {
    return [...this.#calls.byId.keys()];
  }

  /** What is known of each call, in the order in which they began. */
  calls(): ToolCallInfo[] {
    return Array.from(this.#calls.byId.values(), (call) => ({
      id: call.id,
      name: call.name,
      characters: call.text.length,
      copies: call.copies,
      revision: call.revision,
    }));
  }

  /**
   * Records a call's tool name; the last one holds. A blank name or `"null"` changes nothing.
   *
   * @throws StreamBufferPieceError (`ERR_HOLDFAST_STREAM_BUFFER_PIECE`) if the id or the name is not a string.
   */
  setToolName(toolCallId: string, name: string): void {
    checkText(toolCallId, 'id', toolCallId);
    checkText(toolCallId, 'name', name);
    const real = realText(name);
    if (real === undefined) return;
    const call = this.#calls.findOrBegin(toolCallId);
    if (call !== undefined) call.name = real;
  }

  /** The call's tool name, or `undefined` while none is known. */
  getToolName(toolCallId: string): string | undefined {
    return this.#calls.find(toolCallId)?.name;
  }

  /** The argument text so far, or `undefined` if no fragment came. Taking it is cheap; looking inside flattens it. */
  getRawArgs(toolCallId: string): string | undefined {
    const call = this.#calls.find(toolCallId);
    return call?.started ? call.text.value : undefined;
  }

  /**
   * Reads a string field of the root object as far as it has come, decoded, also when the JSON is cut or breaks later.
   *
   * Only a key of the root object is found, never text inside a string or a nested value. Half an escape or half a
   * surrogate pair is held back, so what is returned is always a beginning of the final value; an escape that JSON
   * does not know is kept as written. Of a repeated key the last counts. Costs a constant time, whatever the length;
   * whoever looks inside the returned string at every fragment pays for flattening it each time.
   *
   * @returns `undefined` while the field's value has not begun, and for a value that is not a string.
   */
  extractFieldValue(toolCallId: string, fieldName: string): string | undefined {
    return this.#calls.find(toolCallId)?.text.fieldAt(fieldName)?.text;
  }

  /**
   * Reads a string anywhere in the arguments as {@link StreamingToolCallBuffer.extractFieldValue} does, and says
   * whether it is closed.
   *
   * Values inside the root fields are recorded from the first time that this buffer is asked for one; that time the
   * call's text is scanned once more.
   *
   * @returns `undefined` while the value has not begun, and for a value that is not a string.
   * @throws StreamBufferArgumentError (`ERR_HOLDFAST_STREAM_BUFFER_ARGUMENT`) for a path that can be none.
   */
  field(toolCallId: string, path: FieldPath): FieldText | undefined {
    checkPath(path);
    return this.#calls.find(toolCallId)?.text.fieldAt(path);
  }

  /**
   * Takes what is new of a string since it was last taken, decoded. The deltas since the last `reset`, joined, are the
   * field's text. Costs the length of what is new: the way to follow a long field piece by piece.
   *
   * @returns `undefined` while the value has not begun, and for a value that is not a string.
   * @throws StreamBufferArgumentError (`ERR_HOLDFAST_STREAM_BUFFER_ARGUMENT`) for a path that can be none.
   */
  takeFieldDelta(toolCallId: string, path: FieldPath): FieldDelta | undefined {
    checkPath(path);
    return this.#calls.find(toolCallId)?.takeDelta(path);
  }

  /**
   * Calls a listener with what is new of a string, in every call, from its beginning on: within the `append`, `ingest`
   * or `finish` that brought it, at most once in each, when there is new text, when the string closes, and when what
   * was given is void. What a listener throws comes out of that method; the buffer has kept the piece by then. An id that
   * comes again after it was cleared is another call, and begins with a `delta`.
   *
   * @returns a function that ends it.
   * @throws StreamBufferArgumentError (`ERR_HOLDFAST_STREAM_BUFFER_ARGUMENT`) for a path or a listener that can be none.
   */
  onFieldDelta(path: FieldPath, listener: (event: FieldDeltaEvent) => void): () => void {
    checkPath(path);
    if (typeof listener !== 'function') throw new StreamBufferArgumentError('listener', 'a function', listener);
    const follower = new FieldFollower(typeof path === 'string' ? path : [...path], listener);
    this.#followers.add(follower);
    this.#isFollowed = true;
    for (const call of this.#calls.byId.values()) follower.follow(call);
    return () => {
      this.#followers.delete(follower);
      this.#isFollowed = this.#followers.size > 0;
    };
  }

  /**
   * The arguments so far as a new value each time. A value never changes its type, strings and arrays only grow, objects
   * gain fields, and of a complete text it is what `JSON.parse` gives; a `revision` or a repeated key starts over.
   * Numbers and literals appear when something has ended them.
   *
   * Costs a `JSON.parse` of the text so far: ask at your own pace, once per frame, and follow long fields by deltas.
   *
   * @returns `undefined` while there is no value to show.
   */
  partial(toolCallId: string): unknown {
    const text = this.#calls.find(toolCallId)?.text;
    return text && parseSoFar(text.value, text.scanner);
  }

  /**
   * Lets an index stand for a call. The last mapping of an index holds. At most `maxCalls` indexes are held.
   *
   * @throws StreamBufferPieceError (`ERR_HOLDFAST_STREAM_BUFFER_PIECE`) if the index is no number or the id no string.
   */
  setIndexMapping(index: number, toolCallId: string): void {
    checkText(toolCallId, 'id', toolCallId);
    checkNumber(toolCallId, 'index', index);
    this.#router.mapIndex(index, toolCallId);
  }

  /** The call that an index stands for, or `undefined`. */
  getIdByIndex(index: number): string | undefined {
    return this.#router.idOf(index);
  }

  /** Tells whether a call holds at least one character of argument text. */
  has(toolCallId: string): boolean {
    return (this.#calls.find(toolCallId)?.text.length ?? 0) > 0;
  }

  /**
   * Judges a call's text once no more fragments come: from the text first, from `reason` second, since routers
   * rewrite it. The reason decides only where the text cannot tell: an empty text and a bare number are `truncated`
   * if the provider says that it stopped early.
   *
   * The call stays until it is cleared. A fragment that still comes is kept, and the next `finish` judges again.
   *
   * @returns `undefined` if the buffer holds no such call.
   */
  finish(toolCallId: string, reason?: string | null): ToolCallVerdict | undefined {
    const call = this.#calls.find(toolCallId);
    if (call === undefined) return undefined;
    call.finish();
    this.#tell(call);
    return judge(call.text, reason ?? undefined);
  }

  /** Forgets a call, its name and the indexes that stand for it. */
  clear(toolCallId: string): void {
    this.#router.forget(this.#calls.forget(toolCallId));
  }

  /** Forgets everything. Ids that are made up start from 0 again. */
  clearAll(): void {
    this.#calls.clear();
    this.#router.clear();
    this.#sequences.clear();
  }

  /** Everything that the buffer holds, as a JSON text that {@link StreamingToolCallBuffer.restore} reads. */
  serialize(): string {
    const state: BufferState = {
      format: 'holdfast-stream-buffer',
      version: snapshotVersion,
      options: this.#options,
      madeUpIds: this.#calls.madeUpIds,
      sequences: this.#sequences.entries,
      router: this.#router.state,
      calls: Array.from(this.#calls.byId.values(), (call) => call.state),
    };
    return JSON.stringify(state);
  }

  #takeOver(state: BufferState): void {
    this.#calls.madeUpIds = state.madeUpIds;
    this.#router.restore(state.router);
    for (const [source, sequence] of state.sequences) this.#sequences.hasSeen(source, sequence);
    for (const [index, callState] of state.calls.entries()) {
      if (this.#calls.restore(callState)) continue;
      throw new StreamBufferSnapshotError(`calls.${index}`, 'a call that can be', callState);
    }
  }

  /** The first name holds. In fragments it is joined from what one source says of it before the arguments. */
  #name(call: ToolCall, name: string | undefined, source: string | undefined): void {
    if (name === undefined) return;
    call.namedBy ??= source;
    if (call.name === undefined) call.name = name;
    else if (this.#options.names === 'fragments' && call.text.length === 0 && source === call.namedBy)
      call.name += name;
  }

  #tell(call: ToolCall): void {
    for (const follower of this.#followers) follower.follow(call);
  }
}

function readSource(toolCallId: string, source: string | null): string | undefined {
  checkOptional(toolCallId, 'source', source, 'string');
  return realText(source);
}

/** Tells whether a piece without id and text names a finished call once more. */
function repeatsName(call: ToolCall, { id, name, text = '', source }: NamedPiece): boolean {
  const silent = id === undefined && text === '' && name !== undefined;
  return silent && name === call.name && call.text.scanner.closed && !call.isForeign(source);
}
