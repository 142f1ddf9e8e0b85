import { ManagedRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { thrownBy } from './support.js';

describe('ManagedRegistry', () => {
  it('keeps items in the order of registration', () => {
    const registry = new ManagedRegistry<number>();
    registry.register('b', 2);
    registry.register('a', 1);
    expect(registry.listIds()).toEqual(['b', 'a']);
    expect(registry.getAll()).toEqual([2, 1]);
    expect(registry.size()).toBe(2);
    expect([registry.get('a'), registry.get('c'), registry.has('a'), registry.has('c')]).toEqual([
      1,
      undefined,
      true,
      false,
    ]);
    expect(registry.getOrThrow('b')).toBe(2);
    expect(registry.unregister('b')).toBe(true);
    expect(registry.unregister('b')).toBe(false);
    registry.clear();
    expect(registry.size()).toBe(0);
  });

  it('replaces in place', () => {
    const registry = new ManagedRegistry<number | undefined>();
    registry.register('a', 1);
    registry.register('b', 2);
    registry.replace('a', undefined);
    expect(registry.getAll()).toEqual([undefined, 2]);
    expect(registry.getOrThrow('a')).toBeUndefined();
  });

  it('refuses a taken id and an unknown one', () => {
    const registry = new ManagedRegistry<number>();
    registry.register('a', 1);
    const code = 'ERR_HOLDFAST_REGISTRY_ID';
    expect(thrownBy(() => registry.register('a', 2))).toMatchObject({ code, id: 'a', reason: 'duplicate' });
    expect(thrownBy(() => registry.getOrThrow('b'))).toMatchObject({ code, id: 'b', reason: 'unknown' });
    expect(thrownBy(() => registry.replace('b', 1))).toMatchObject({ code, id: 'b', reason: 'unknown' });
    expect(registry.getAll()).toEqual([1]);
  });

  it('takes any text as an id', () => {
    const registry = new ManagedRegistry<number>();
    for (const id of ['__proto__', 'constructor', 'toString', '']) {
      expect(registry.has(id)).toBe(false);
      registry.register(id, 1);
    }
    expect(registry.listIds()).toEqual(['__proto__', 'constructor', 'toString', '']);
  });
});
