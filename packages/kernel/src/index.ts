export { describeValue } from './describe.js';
export { HoldfastError, type HoldfastErrorCode } from './error.js';
export { getOwn, isPlainObject, setOwn } from './object.js';
export { type AbortSignalLike, runtime } from './runtime.js';
export {
  compareCodeUnits,
  cutPosition,
  cutText,
  isHighSurrogate,
  isLowSurrogate,
  isWellFormed,
  toWellFormed,
} from './text.js';
