import { readFile } from 'node:fs/promises';
import * as face from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';

describe('the built package', () => {
  const files = ['index', 'openai', 'anthropic', 'ai-sdk'].flatMap((entry) => [`${entry}.js`, `${entry}.cjs`]);

  it.each(files)('%s loads nothing but its own parts: frameworks and SDKs are there for types alone', async (file) => {
    const text = await readFile(new URL(`../dist/${file}`, import.meta.url), 'utf8');
    const loaded = [...text.matchAll(/(?:\bfrom|^\s*import|\brequire\(|\bimport\()\s*["']([^"']+)["']/gm)];
    expect(loaded.map(([, specifier]) => specifier).filter((specifier) => !specifier?.startsWith('./chunk-'))).toEqual(
      [],
    );
    expect(text).not.toMatch(/["']node:/);
  });

  it('has this face', () => {
    expect(Object.keys(face).sort()).toEqual([
      'HoldfastError',
      'TOOL_OUTPUT_REFERENCES_GUIDE',
      'TOOL_OUTPUT_REF_KEY',
      'TOOL_OUTPUT_REF_PATTERN',
      'TOOL_OUTPUT_UNRESOLVED_KEY',
      'ToolOutputReferenceRegistry',
      'ToolReferenceArgumentError',
      'annotateMessagesForLLM',
      'annotateToolOutputWithReference',
      'buildReferenceKey',
      'buildReferencePrefix',
      'createReadOutputTool',
      'findReferences',
      'previewOutput',
    ]);
  });
});

describe('the guide for the model', () => {
  it('says what the package does', () => {
    const guide = face.TOOL_OUTPUT_REFERENCES_GUIDE;
    for (const part of [
      '{{tool0turn0}}',
      face.buildReferencePrefix('tool0turn0'),
      `"${face.TOOL_OUTPUT_REF_KEY}"`,
      `"${face.TOOL_OUTPUT_UNRESOLVED_KEY}"`,
      '[unresolved refs: ',
      '"none"',
    ]) {
      expect(guide).toContain(part);
    }
    expect(face.findReferences(guide.replace(/^\S+/, ''))).toEqual(['tool0turn0', 'tool0turn0#/items/0/id']);
  });
});
