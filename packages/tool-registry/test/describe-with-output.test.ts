import { describeWithOutput } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { thrownBy } from './support.js';

describe('describeWithOutput', () => {
  it('appends the schema word for word, in its own key order', () => {
    const schema = { type: 'object', properties: { b: { $ref: '#/$defs/x' }, a: {} }, $defs: { x: {} } };
    expect(describeWithOutput('d', schema)).toBe(
      'd\n\nReturns (JSON Schema): {"type":"object","properties":{"b":{"$ref":"#/$defs/x"},"a":{}},"$defs":{"x":{}}}',
    );
  });

  it('leaves the description alone without a schema', () => {
    expect(describeWithOutput('d', undefined)).toBe('d');
  });

  it('appends an empty schema too', () => {
    expect(describeWithOutput('d', {})).toBe('d\n\nReturns (JSON Schema): {}');
  });

  it('refuses what JSON would drop or change', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const bad of [cyclic, { a: undefined }, { a: 1n }, { a: Number.NaN }, { a: () => 1 }, { a: new Date(0) }]) {
      expect(thrownBy(() => describeWithOutput('d', bad))['code']).toBe('ERR_HOLDFAST_TOOL_REGISTRY_OPTION');
    }
  });
});
