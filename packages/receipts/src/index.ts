import { HoldfastError } from '@holdfast/kernel';
export class ProbeError extends HoldfastError {
  override readonly name = 'ProbeError';
  readonly code = 'ERR_HOLDFAST_PROBE';
}
export { HoldfastError };
