import {
  buildReferenceKey,
  buildReferencePrefix,
  HoldfastError,
  TOOL_OUTPUT_REF_KEY,
  TOOL_OUTPUT_REF_PATTERN,
  TOOL_OUTPUT_UNRESOLVED_KEY,
  ToolOutputReferenceRegistry,
  ToolReferenceArgumentError,
} from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';

describe('TOOL_OUTPUT_REF_PATTERN', () => {
  it('holds no state between calls', () => {
    const tests = [1, 2, 3].map(() => TOOL_OUTPUT_REF_PATTERN.test('{{tool0turn0}}'));
    expect(tests).toEqual([true, true, true]);
    expect(TOOL_OUTPUT_REF_PATTERN.lastIndex).toBe(0);
    expect(TOOL_OUTPUT_REF_PATTERN.flags).not.toMatch(/[gy]/);
  });

  it('captures the key first', () => {
    expect(TOOL_OUTPUT_REF_PATTERN.exec('a {{tool12turn30}} b')?.[1]).toBe('tool12turn30');
  });

  it.each([
    '{{tool0turn0}}',
    '{{{tool0turn0}}}',
    '{{tool1{{tool0turn0}}',
    `{{tool${'9'.repeat(15)}turn0}}`,
    '{{ tool0turn0 }}',
    '{{ tool0turn0}}',
    '{{tool0turn0 }}',
    '{{tool00turn0}}',
    '{{tool0turn00}}',
    '{{tool01turn1}}',
    '{{Tool0Turn0}}',
    '{{tool0TURN0}}',
    '{{tool-1turn0}}',
    '{{tool1.5turn0}}',
    '{{toolturn0}}',
    '{{tool0turn}}',
    '{tool0turn0}',
    '{{tool0turn0}',
    '{ {tool0turn0}}',
    '{{tool٠turn0}}',
    `{{tool${'9'.repeat(16)}turn0}}`,
    `{{tool0turn${'9'.repeat(16)}}}`,
  ])('agrees with resolve about %s', (text) => {
    const registry = new ToolOutputReferenceRegistry();
    const { resolved, unresolved } = registry.resolve('r', { text });
    expect(resolved).toEqual({ text });
    const match = TOOL_OUTPUT_REF_PATTERN.exec(text);
    expect(unresolved).toEqual(match ? [match[1]] : []);
  });
});

describe('keys', () => {
  it('are built from the index and the turn', () => {
    expect(buildReferenceKey(0, 0)).toBe('tool0turn0');
    expect(buildReferenceKey(3, 12)).toBe('tool3turn12');
    expect(buildReferenceKey(-0, 0)).toBe('tool0turn0');
  });

  it('stand in a line of their own', () => {
    expect(buildReferencePrefix('tool0turn0')).toBe('[ref: tool0turn0]');
  });

  it('have their fields', () => {
    expect([TOOL_OUTPUT_REF_KEY, TOOL_OUTPUT_UNRESOLVED_KEY]).toEqual(['_ref', '_unresolved_refs']);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e15, '1'])('refuse %s as a number', (received) => {
    const build = () => buildReferenceKey(received as number, 0);
    expect(build).toThrow(ToolReferenceArgumentError);
    expect(build).toThrow(
      expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', argument: 'toolIndex', received }),
    );
    expect(() => buildReferenceKey(0, received as number)).toThrow(expect.objectContaining({ argument: 'turn' }));
  });

  it('that can be built can be referred to', () => {
    const key = buildReferenceKey(1e15 - 1, 1e15 - 1);
    expect(TOOL_OUTPUT_REF_PATTERN.exec(`{{${key}}}`)?.[1]).toBe(key);
  });

  it('raise errors that are recognised without instanceof', () => {
    try {
      buildReferenceKey(-1, 0);
      expect.unreachable();
    } catch (error) {
      expect(HoldfastError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ name: 'ToolReferenceArgumentError' });
    }
  });
});
