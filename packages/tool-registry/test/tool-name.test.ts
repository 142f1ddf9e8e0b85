import { assertToolName, TOOL_NAME_PATTERN, ToolNameCollisionError, toToolName } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { thrownBy } from './support.js';

describe('TOOL_NAME_PATTERN', () => {
  it.each(['a', 'A-b_9', 'a'.repeat(64), '__proto__', 'constructor'])('takes %s', (name) => {
    expect(TOOL_NAME_PATTERN.test(name)).toBe(true);
    expect(() => assertToolName(name)).not.toThrow();
  });

  it.each(['', 'a'.repeat(65), 'a b', 'a.b', 'a\n', '\na', 'ä', '搜索工具', 'a/b'])('refuses %j', (name) => {
    expect(TOOL_NAME_PATTERN.test(name)).toBe(false);
    expect(thrownBy(() => assertToolName(name))).toMatchObject({
      name: 'InvalidToolNameError',
      code: 'ERR_HOLDFAST_TOOL_NAME',
      toolName: name,
    });
  });

  it('keeps no state between tests', () => {
    expect(TOOL_NAME_PATTERN.flags).not.toMatch(/[gy]/);
  });

  it('names the refused name, cut when it is long', () => {
    expect(thrownBy(() => assertToolName('搜索工具'))['message']).toContain('搜索工具');
    const message = String(thrownBy(() => assertToolName('x'.repeat(10_000)))['message']);
    expect(message).toContain('(10000 characters)');
    expect(message.length).toBeLessThan(500);
  });

  it('refuses what is no string', () => {
    expect(() => assertToolName(undefined as never)).toThrow('undefined');
    expect(() => assertToolName({ toString: () => 'a' } as never)).toThrow('an object');
  });
});

describe('ToolNameCollisionError', () => {
  it('carries name and context, and says both ways out', () => {
    const error = new ToolNameCollisionError('read', 'MCP server "files"');
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ToolNameCollisionError',
      code: 'ERR_HOLDFAST_TOOL_NAME_COLLISION',
      toolName: 'read',
      context: 'MCP server "files"',
    });
    expect(error.message).toContain('"read"');
    expect(error.message).toContain('MCP server "files"');
    expect(error.message).toContain('leave one out');
    expect(error.message).toContain('replace(tool)');
  });
});

describe('toToolName', () => {
  it('leaves a legal name alone', () => {
    expect(toToolName('read_file')).toBe('read_file');
  });

  it('gives golden names, the same on every machine', () => {
    expect(toToolName('read file')).toBe('read_file_2b4b7jzv0e7ld');
    expect(toToolName('搜索工具')).toBe('tool_0e9iqy8yy7xdj');
    expect(toToolName('')).toBe('tool_33niihzj4ux45');
  });

  it('keeps different texts apart and every result legal', () => {
    const texts = ['read file', 'read  file', 'read.file', '搜索工具', '搜索', '', ' ', 'é', 'e\u0301', '\ud800'];
    const made = [...texts, 'x'.repeat(65), 'x'.repeat(66), 'read_file'].map(toToolName);
    expect(new Set(made).size).toBe(made.length);
    for (const name of made) expect(name).toMatch(TOOL_NAME_PATTERN);
  });
});
