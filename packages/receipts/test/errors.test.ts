import * as face from '@holdfast/receipts';
import * as conformance from '@holdfast/receipts/conformance';
import * as memory from '@holdfast/receipts/memory';
import { describe, expect, it } from 'vitest';

const { HoldfastError } = face;

/** One of each error class that the package exports, made as its users would meet it. */
const errors = [
  new face.EffectDidNotHappenError('no route', { cause: 'x' }),
  new face.EffectRejectedError('card declined', { cause: 'x' }),
  new face.EffectStepError('one', 'repeated'),
  new face.EffectStepError('one', 'late'),
  new face.EffectStepError('one', 'too-many'),
  new face.EffectStepError('one', 'not-kept'),
  new face.EffectStepError('one', 'not-recorded', 'x'),
  new face.LeaseLostError(1, 'fenced'),
  new face.LeaseLostError(1, 'expired'),
  new face.LeaseLostError(1, 'key-expired'),
  new face.ReceiptOptionError('leaseMs', 0, 'a whole number from 1'),
  new face.VolatileStoreError(),
  new face.ReceiptStoreUnavailableError('claim', 6, 'x'),
  new face.ReceiptStoreAnswerError('claim', 'granted', 'execute or wait'),
  new memory.MemoryStoreFullError(1),
  new conformance.ConformanceError('the claim', 1, 2),
];

describe('the errors around executeOnce', () => {
  it.each(errors.map((error) => [error.name, error] as const))('%s has a name, a code and a way out', (name, error) => {
    expect(HoldfastError.isInstance(error)).toBe(true);
    expect(error.constructor.name).toBe(name);
    expect(error.code).toMatch(/^ERR_HOLDFAST_[A-Z_]+$/);
    expect(error.message.length).toBeGreaterThan(5);
    expect(error.stack).toContain(name);
  });

  it('have a code each', () => {
    expect(new Set(errors.map(({ code }) => code)).size).toBe(new Set(errors.map(({ name }) => name)).size);
  });

  it('keep their cause', () => {
    const causes = errors.filter((error) => 'cause' in error).map(({ cause }) => cause);
    expect(causes).toEqual(['x', 'x', 'x', 'x']);
  });
});
