/** The base of every error that Holdfast throws for a caller's mistake. */

const brand = Symbol.for('holdfast.error');

/** A stable, literal name for one kind of mistake. */
export type HoldfastErrorCode = `ERR_HOLDFAST_${string}`;

/**
 * Base class of all Holdfast errors. Each subclass has a literal `name` and `code`, and carries the offending
 * values as fields.
 *
 * Every package holds its own copy of this class, so recognise errors by `code` or with
 * {@link HoldfastError.isInstance}, not with `instanceof`.
 */
export abstract class HoldfastError extends Error {
  abstract override readonly name: string;
  abstract readonly code: HoldfastErrorCode;

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells whether a value is a Holdfast error of any kind, whichever copy of the package made it. */
  static isInstance(value: unknown): value is HoldfastError {
    return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true;
  }
}
