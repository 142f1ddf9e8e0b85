import { extractText } from '@holdfast/flush-loop';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';

const textOf = (content: unknown) => extractText({ content } as AIMessage);

describe('extractText', () => {
  it('joins text blocks and bare strings and leaves thinking and tool use out', () => {
    expect(
      textOf([
        { type: 'thinking', thinking: 'hm', text: 'no' },
        { type: 'text', text: 'a' },
        'b',
        { type: 'tool_use' },
      ]),
    ).toBe('ab');
  });

  it.each([
    ['words', 'words'],
    ['', ''],
    [' a\n\n', ' a\n\n'],
    [[{ type: 'text', text: ' a' }, ' \n'], ' a \n'],
    [null, ''],
    [undefined, ''],
    [[], ''],
    [[null, undefined, 7, {}], ''],
    [{ type: 'text', text: 'one block' }, 'one block'],
    [[{ type: 'output_text', text: 'a' }], 'a'],
    [[{ type: 'text', text: 7 }, { type: 'text' }], ''],
    [[{ type: 'reasoning', reasoning: 'hm', text: 'hm' }], ''],
    [7, ''],
  ])('%j is %j', (content, text) => {
    expect(textOf(content)).toBe(text);
  });

  it('reads real messages, whole and streamed', () => {
    expect(extractText(new AIMessage('a'))).toBe('a');
    expect(extractText(new AIMessageChunk({ content: [{ type: 'text', text: 'a' }] }))).toBe('a');
  });

  it('takes no message as no text', () => {
    expect(extractText(undefined as unknown as AIMessage)).toBe('');
  });
});
