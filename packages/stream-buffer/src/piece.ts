/** What goes into the buffer, and what it says that it did. */

/** How a fragment is appended. */
export interface AppendOptions {
  /**
   * The run that emitted the fragment. The first source that is named for a call owns it: its fragments are all kept,
   * also equal neighbours, and those of other sources are copies.
   */
  readonly source?: string | null | undefined;
}

/** A piece of a tool call as a provider streams it. Everything may be missing; `null` is missing. */
export interface ToolCallPiece {
  readonly id?: string | null | undefined;
  readonly index?: number | null | undefined;
  readonly name?: string | null | undefined;
  /** A fragment of the argument text. */
  readonly args?: string | null | undefined;
  /** The run that emitted the piece; see {@link AppendOptions}. */
  readonly source?: string | null | undefined;
  /**
   * The number of the piece in its source's stream, for streams that a server may say again after a reconnect. Numbers
   * must rise; a piece whose number is not above all earlier ones of its source is `replayed` and changes nothing.
   */
  readonly sequence?: number | null | undefined;
}

/**
 * What a piece did.
 *
 * - `appended`: its text was joined on.
 * - `restated`: its text took the place of the call's text, which it says again or replaces.
 * - `duplicate`: its text is a copy and was left out.
 * - `noted`: it had no text, but began a call, named one or changed nothing.
 * - `refused`: a limit was reached, and its text is not kept.
 * - `replayed`: its `sequence` had come before from the same source.
 * - `ignored`: it says nothing of any call.
 */
export type IngestOutcome =
  | {
      readonly kind: 'appended' | 'restated' | 'duplicate' | 'noted';
      /** The call that the piece belongs to. */
      readonly id: string;
      /** Whether the call began with this piece. */
      readonly started: boolean;
      /** Whether the call's text holds the piece's text because of it. */
      readonly appended: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly limit: 'calls' | 'characters';
      readonly id: string;
      readonly started: boolean;
      readonly appended: false;
    }
  | { readonly kind: 'replayed'; readonly started: false; readonly appended: false }
  | { readonly kind: 'ignored'; readonly started: false; readonly appended: false };

/** What the buffer knows of a call. */
export interface ToolCallInfo {
  readonly id: string;
  readonly name: string | undefined;
  /** Length of the argument text in UTF-16 code units. */
  readonly characters: number;
  /** How many times the stream says everything, as far as it has shown. */
  readonly copies: number;
  /** Rises when earlier text was corrected, so that the text no longer begins with what was read before. */
  readonly revision: number;
}
