/** Every exported error: literal name and code, recognised without its class. */

import * as face from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';

const made: Record<string, Error> = {
  InvalidToolNameError: new face.InvalidToolNameError('a b'),
  ToolNameCollisionError: new face.ToolNameCollisionError('a', 'register'),
  InvalidToolDefinitionError: new face.InvalidToolDefinitionError('a', 'field', 'is wrong.'),
  UnknownToolError: new face.UnknownToolError(Array.from({ length: 12 }, (_, index) => `t${index}`)),
  ToolRegistryOptionError: new face.ToolRegistryOptionError('limit', 'a number', 'x'),
  ToolPreparationError: new face.ToolPreparationError('used'),
  RegistryIdError: new face.RegistryIdError('a', 'unknown'),
};

const exported = Object.entries(face)
  .filter(([, value]) => typeof value === 'function' && value.prototype instanceof Error)
  .map(([name]) => name)
  .filter((name) => name !== 'HoldfastError');

describe('errors', () => {
  it.each(exported)('%s has a literal name and a code, and is known as a Holdfast error', (name) => {
    const error = made[name];
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name, code: expect.stringMatching(/^ERR_HOLDFAST_[A-Z_]+$/) });
    expect(face.HoldfastError.isInstance(error)).toBe(true);
    expect(error?.message.length).toBeGreaterThan(20);
  });

  it('have codes of their own', () => {
    const codes = Object.values(made).map((error) => (error as unknown as { code: string }).code);
    expect(new Set(codes).size).toBe(exported.length);
  });

  it('name at most ten unknown tools and count the rest', () => {
    expect(made['UnknownToolError']?.message).toContain('"t9" and 2 more');
  });
});
