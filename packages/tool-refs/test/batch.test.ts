import { ToolOutputReferenceRegistry, type UnresolvedReference } from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';

/** A run whose first output looks like a reference to the second. */
function trapped() {
  const registry = new ToolOutputReferenceRegistry();
  const first = registry.beginBatch('r');
  first.settle(0, '{{tool1turn0}}');
  first.settle(1, 'secret');
  return registry;
}

describe('beginBatch', () => {
  it('takes turns at once, names keys and stores outputs', () => {
    const registry = new ToolOutputReferenceRegistry();
    const [a, b] = [registry.beginBatch('r'), registry.beginBatch('r')];
    expect([a.turn, b.turn, registry.nextTurn('r')]).toEqual([0, 1, 2]);
    expect([a.key(2), b.key(0)]).toEqual(['tool2turn0', 'tool0turn1']);
    expect(b.settle(0, 'out')).toEqual({ key: 'tool0turn1', characters: 3, clipped: 0 });
    expect(registry.get('r', 'tool0turn1')).toBe('out');
    expect(() => a.key(-1)).toThrow(expect.objectContaining({ argument: 'toolIndex' }));
    expect(() => a.settle(0.5, '')).toThrow(expect.objectContaining({ argument: 'toolIndex' }));
  });

  it('resolves against earlier turns as they were when it began', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.beginBatch('r').settle(0, 'earlier');
    const batch = registry.beginBatch('r');
    batch.settle(0, 'same turn');
    registry.set('r', 'tool0turn0', 'changed');
    expect(batch.resolve({ a: '{{tool0turn0}} {{tool0turn1}}' })).toEqual({
      resolved: { a: 'earlier {{tool0turn1}}' },
      unresolved: ['tool0turn1'],
    });
    expect(registry.beginBatch('r').resolve('{{tool0turn0}} {{tool0turn1}}').resolved).toBe('changed same turn');
  });

  it('replaces an output that is settled again, as after a hook', () => {
    const registry = new ToolOutputReferenceRegistry();
    const batch = registry.beginBatch('r');
    batch.settle(0, 'pre');
    batch.settle(0, 'post');
    expect([registry.get('r', 'tool0turn0'), registry.size]).toEqual(['post', 1]);
  });

  it('says what was cut off', () => {
    const registry = new ToolOutputReferenceRegistry({ maxOutputSize: 4 });
    expect(registry.beginBatch('r').settle(0, 'abc😀de')).toEqual({ key: 'tool0turn0', characters: 3, clipped: 4 });
  });

  it('tells at once of what an output displaces', () => {
    const dropped: string[] = [];
    const registry = new ToolOutputReferenceRegistry({ maxEntries: 1, onEvict: ({ keys }) => dropped.push(...keys) });
    const batch = registry.beginBatch('r');
    batch.settle(0, '');
    batch.settle(1, '');
    expect(dropped).toEqual(['tool0turn0']);
  });

  it('reports unresolved references of its run', () => {
    const events: UnresolvedReference[] = [];
    const registry = new ToolOutputReferenceRegistry({ onUnresolved: (event) => events.push(event) });
    registry.beginBatch('r').resolve({ a: '{{tool0turn0}}{{tool0turn0}}' });
    expect(events).toEqual([{ runId: 'r', key: 'tool0turn0', reason: 'missing' }]);
  });

  it('stores a late output after its run was released', () => {
    const registry = new ToolOutputReferenceRegistry();
    const batch = registry.beginBatch('r');
    registry.releaseRun('r');
    expect(batch.settle(0, 'late').characters).toBe(4);
    expect([registry.get('r', 'tool0turn0'), registry.nextTurn('r')]).toEqual(['late', 1]);
  });

  it('stores nothing from before a clear under a key of after', () => {
    const registry = new ToolOutputReferenceRegistry();
    const old = registry.beginBatch('r');
    registry.clear();
    registry.beginBatch('r').settle(0, 'new');
    expect(old.settle(0, 'old')).toEqual({ key: 'tool0turn0', characters: 0, clipped: 3 });
    expect(() => old.settle(0, 7 as unknown as string)).toThrow(expect.objectContaining({ argument: 'value' }));
    expect(registry.get('r', 'tool0turn0')).toBe('new');
  });

  it('keeps anonymous batches apart', () => {
    const registry = new ToolOutputReferenceRegistry();
    const first = registry.beginBatch(undefined);
    first.settle(0, 'first');
    const second = registry.beginBatch(undefined);
    expect([first.turn, second.turn, second.resolve('{{tool0turn0}}').unresolved]).toEqual([0, 0, ['tool0turn0']]);
    second.settle(0, 'second');
    expect(first.settle(0, 'late').characters).toBe(0);
    expect(registry.get(undefined, 'tool0turn0')).toBe('second');
    registry.releaseRun(undefined);
    expect([second.settle(1, 'late'), registry.size]).toEqual([{ key: 'tool1turn0', characters: 0, clipped: 4 }, 0]);
  });
});

describe('a batch resolves once', () => {
  it('whatever part of the outcome a hook hands back', () => {
    const batch = trapped().beginBatch('r');
    const { resolved } = batch.resolve({ a: '{{tool0turn0}}', b: ['x {{tool0turn0}}'] });
    expect(resolved).toEqual({ a: '{{tool1turn0}}', b: ['x {{tool1turn0}}'] });
    expect(batch.resolve(resolved).resolved).toBe(resolved);
    expect(batch.resolve({ ...resolved, c: 1 }).resolved).toEqual({ ...resolved, c: 1 });
    expect(batch.resolve(structuredClone(resolved)).resolved).toEqual(resolved);
    expect(batch.resolve(JSON.stringify(resolved)).resolved).toBe(JSON.stringify(resolved));
    expect(batch.resolve(resolved.a).resolved).toBe('{{tool1turn0}}');
  });

  it('and resolves what a hook adds', () => {
    const batch = trapped().beginBatch('r');
    const { resolved } = batch.resolve({ a: '{{tool0turn0}}' });
    expect(batch.resolve({ ...resolved, b: 'new {{tool1turn0}}' }).resolved).toEqual({
      a: '{{tool1turn0}}',
      b: 'new secret',
    });
  });

  it('when arguments are a JSON text', () => {
    const batch = trapped().beginBatch('r');
    const { resolved } = batch.resolve('{"a":"é {{tool0turn0}}"}');
    expect(resolved).toBe('{"a":"é {{tool1turn0}}"}');
    expect(batch.resolve(resolved).resolved).toBe(resolved);
    expect(batch.resolve(JSON.parse(resolved)).resolved).toEqual({ a: 'é {{tool1turn0}}' });
  });

  it('when a plain text becomes JSON', () => {
    const registry = trapped();
    registry.set('r', 'tool2turn0', '{"a":"{{tool1turn0}}"}');
    const batch = registry.beginBatch('r');
    const { resolved } = batch.resolve('{{tool2turn0}}');
    expect(batch.resolve(resolved).resolved).toBe('{"a":"{{tool1turn0}}"}');
  });

  it('when a plain text is JSON that spells a placeholder with escapes', () => {
    const registry = trapped();
    registry.set('r', 'tool2turn0', '{"a":"\\u007b{tool1turn0}}"}');
    for (const index of [undefined, 0]) {
      const batch = registry.beginBatch('r');
      const { b } = batch.resolve({ b: '{{tool2turn0}}' }, { index }).resolved;
      expect(batch.resolve(b, { index })).toEqual({ resolved: b, unresolved: [] });
    }
    const batch = registry.beginBatch('r');
    const { b } = batch.resolve({ b: '{{tool2turn0}}' }, { index: 0 }).resolved;
    const rewritten = JSON.stringify({ ...JSON.parse(b), more: 1 });
    expect(batch.resolve({ b: rewritten }, { index: 0 })).toEqual({
      resolved: { b: rewritten },
      unresolved: ['tool1turn0'],
    });
  });

  it('when a JSON text becomes a text inside a tree', () => {
    const batch = trapped().beginBatch('r');
    const { resolved } = batch.resolve('{"a":"{{tool0turn0}} {{tool9turn9}}"}');
    const call = { function: { name: 'f', arguments: resolved } };
    expect(batch.resolve(call)).toEqual({ resolved: call, unresolved: ['tool9turn9'] });
  });

  it('and reports again what stays', () => {
    const batch = trapped().beginBatch('r');
    const first = batch.resolve({ a: '{{tool0turn0}} {{tool9turn9}}' });
    expect(first.unresolved).toEqual(['tool9turn9']);
    expect(batch.resolve(first.resolved)).toEqual(first);
    const text = batch.resolve('["{{tool0turn0}} {{tool9turn9}}"]');
    expect(batch.resolve(text.resolved)).toEqual(text);
  });

  it('and reports again why', () => {
    const reasons: string[] = [];
    const registry = new ToolOutputReferenceRegistry({
      maxResolvedSize: 80,
      onUnresolved: ({ key, reason }) => reasons.push(`${key}: ${reason}`),
    });
    const first = registry.beginBatch('r');
    first.settle(0, '{{tool2turn0}}');
    first.settle(1, 'x'.repeat(80));
    first.settle(2, 'secret');
    const batch = registry.beginBatch('r');
    const { resolved } = batch.resolve({ a: '{{tool0turn0}} {{tool1turn0}} {{tool0turn0#/a}}' });
    const expected = ['tool1turn0: limit', 'tool0turn0#/a: pointer'];
    expect(reasons.splice(0)).toEqual(expected);
    expect(batch.resolve(resolved).resolved).toBe(resolved);
    expect(reasons).toEqual(expected);
  });

  it('and takes none of its own work for an earlier one', () => {
    const batch = trapped().beginBatch('r');
    const resolved = { a: '{{tool1turn0}}', b: 'secret' };
    expect(batch.resolve({ a: '{{tool0turn0}}', b: '{{tool1turn0}}' }, { index: 0 })).toEqual({
      resolved,
      unresolved: [],
    });
    expect(batch.resolve('["{{tool0turn0}}","{{tool1turn0}}"]', { index: 1 }).resolved).toBe(
      '["{{tool1turn0}}","secret"]',
    );
  });

  it('also when a hook edits around what was inserted, in a call that is named', () => {
    const events: UnresolvedReference[] = [];
    const registry = new ToolOutputReferenceRegistry({ onUnresolved: (event) => events.push(event) });
    const first = registry.beginBatch('r');
    first.settle(0, 'see {{tool1turn0}}\n');
    first.settle(1, 'secret');
    first.settle(2, 'public');
    const batch = registry.beginBatch('r');
    const { command } = batch.resolve({ command: '{{tool0turn0}}' }, { index: 3 }).resolved;
    for (const edited of [command.trim(), `set -e; ${command}`, command.slice(4)]) {
      expect(batch.resolve({ command: edited, added: '{{tool2turn0}}' }, { index: 3 })).toEqual({
        resolved: { command: edited, added: 'public' },
        unresolved: ['tool1turn0'],
      });
      const json = JSON.stringify([edited]);
      expect(batch.resolve(json, { index: 3 })).toEqual({ resolved: json, unresolved: ['tool1turn0'] });
    }
    expect(new Set(events.map(({ reason }) => reason))).toEqual(new Set(['inserted']));
    expect(batch.resolve({ command: '> {{tool1turn0}}' }, { index: 4 }).resolved).toEqual({ command: '> secret' });
  });

  it('per call, when the call is named', () => {
    const batch = trapped().beginBatch('r');
    expect(batch.resolve('{{tool0turn0}}', { index: 0 }).resolved).toBe('{{tool1turn0}}');
    expect(batch.resolve('{{tool1turn0}}', { index: 0 }).resolved).toBe('{{tool1turn0}}');
    expect(batch.resolve('{{tool1turn0}}', { index: 1 }).resolved).toBe('secret');
  });
});

describe('a turn that the host names', () => {
  it('is taken as it is, again and again, and counted above', () => {
    const registry = new ToolOutputReferenceRegistry();
    expect(registry.beginBatch('r', { turn: 4 }).turn).toBe(4);
    expect(registry.beginBatch('r', { turn: 4 }).key(1)).toBe('tool1turn4');
    expect(registry.beginBatch('r', { turn: 2 }).turn).toBe(2);
    expect(registry.nextTurn('r')).toBe(5);
  });

  it('sees earlier turns only, whatever is stored already', () => {
    const registry = new ToolOutputReferenceRegistry();
    for (const turn of [0, 1, 2]) registry.beginBatch('r', { turn }).settle(0, `output ${turn}`);
    const again = registry.beginBatch('r', { turn: 1 });
    expect(again.resolve('{{tool0turn0}}, {{tool0turn1}}, {{tool0turn2}}')).toEqual({
      resolved: 'output 0, {{tool0turn1}}, {{tool0turn2}}',
      unresolved: ['tool0turn1', 'tool0turn2'],
    });
  });

  it('is refused when the registry counted it, also after the run was released', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.nextTurn('r');
    registry.nextTurn('r');
    const begin = () => registry.beginBatch('r', { turn: 1 });
    expect(begin).toThrow(expect.objectContaining({ argument: 'turn', received: 1 }));
    registry.releaseRun('r');
    expect(begin).toThrow(/from its history/);
    expect(registry.beginBatch('r', { turn: 2 }).turn).toBe(2);
  });

  it('leaves no turn behind the last one, and says so before a tool runs', () => {
    const registry = new ToolOutputReferenceRegistry();
    expect(registry.beginBatch('r', { turn: 1e15 - 1 }).settle(0, 'v').key).toBe('tool0turn999999999999999');
    const last = expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', received: 1e15 });
    expect(() => registry.beginBatch('r')).toThrow(last);
    expect(() => registry.nextTurn('r')).toThrow(last);
    const restored = new ToolOutputReferenceRegistry();
    restored.restoreState(registry.snapshotState());
    expect(restored.get('r', 'tool0turn999999999999999')).toBe('v');
    expect(() => restored.nextTurn('r')).toThrow(last);
  });

  it.each([-1, 0.5, 1e15, '1'])('must be a turn, not %s', (turn) => {
    const registry = new ToolOutputReferenceRegistry({ maxActiveRuns: 1 });
    registry.set('kept', 'tool0turn0', 'v');
    expect(() => registry.beginBatch('r', { turn: turn as number })).toThrow(
      expect.objectContaining({ received: turn }),
    );
    expect(registry.has('kept', 'tool0turn0')).toBe(true);
  });

  it('leaves anonymous batches anonymous', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.beginBatch(undefined, { turn: 3 }).settle(0, 'v');
    const next = registry.beginBatch(undefined, { turn: 3 });
    expect([next.turn, registry.size]).toEqual([3, 0]);
    registry.nextTurn(undefined);
    expect(registry.beginBatch(undefined, { turn: 0 }).turn).toBe(0);
  });
});
