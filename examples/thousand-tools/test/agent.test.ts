import { describe, expect, it } from 'vitest';
import type { ChatMessage, ChatRequest, ChatTool } from '../src/agent/chat.js';
import { readTask, replyTo } from '../src/agent/scripted-replies.js';
import { judge, type RunRecord } from '../src/agent/verdict.js';

const tool = (name: string, required: readonly string[] = [], others: readonly string[] = []): ChatTool => ({
  function: {
    name,
    parameters: { properties: Object.fromEntries([...required, ...others].map((key) => [key, {}])), required },
  },
});
const search = tool('search_tools', ['query']);
const user = (content: string): ChatMessage => ({ role: 'user', content });
const call = (id: string, name: string): ChatMessage => ({
  role: 'assistant',
  tool_calls: [{ id, function: { name, arguments: '{}' } }],
});
const answer = (tool_call_id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id, content });
const found = (...names: string[]) => JSON.stringify({ loaded: names.map((name) => ({ name })) });

describe('the local model', () => {
  const task = user('add numbers {"a": 1}');
  const searched = [task, call('1', 'search_tools'), answer('1', found('list', 'sum'))];

  it('searches first, with the words of the task', () => {
    expect(replyTo({ messages: [task], tools: [search] }).call).toEqual({
      name: 'search_tools',
      args: { query: 'add numbers' },
    });
  });

  it('calls the first loaded tool that takes the input, and only one that is on the wire', () => {
    const reply = (...tools: ChatTool[]) => replyTo({ messages: searched, tools: [search, ...tools] });
    expect(reply(tool('list'), tool('sum', ['a'])).call).toEqual({ name: 'sum', args: { a: 1 } });
    expect(reply(tool('list', [], ['a']), tool('sum', ['a'])).call?.name).toBe('list');
    expect(reply(tool('sum', ['a', 'b'])).content).toBe('I found no tool that takes this.');
    expect(reply().content).toBe('I found no tool that takes this.');
  });

  it('tells the result', () => {
    const messages = [...searched, call('2', 'sum'), answer('2', '3')];
    expect(replyTo({ messages, tools: [search] })).toEqual({ content: 'Done. 3' });
  });

  it('takes braces that are no JSON for words', () => {
    expect(readTask('draw {this}')).toEqual({ words: 'draw {this}', args: {} });
  });
});

describe('the verdict', () => {
  const messages = [user('x'), call('1', 'search_tools'), answer('1', found('sum')), call('2', 'sum')];
  const request: ChatRequest = { messages, tools: [search, tool('sum')] };
  const searching = { tool: 'search_tools', started: true, success: true };
  const sum = { tool: 'sum', started: true, success: true };
  const good: RunRecord = { requests: [request], calls: [searching, sum], ended: true, expected: 'sum' };
  const holds = (parts: Partial<RunRecord>) => judge({ ...good, ...parts }).map((finding) => finding.holds);

  it('holds for one right call over a wire of what was loaded', () => {
    expect(holds({})).toEqual([true, true, true]);
    expect(holds({ expected: undefined })).toEqual([true, true, true]);
    expect(holds({ calls: [searching, { ...sum, started: false, success: false }, sum] })).toEqual([true, true, true]);
  });

  it.each([
    ['two calls', [sum, sum]],
    ['no call', [searching]],
    ['another tool', [{ ...sum, tool: 'product' }]],
    ['a failure', [{ ...sum, success: false }]],
    ['a refused call', [{ ...sum, started: false, success: false }]],
  ])('does not hold for %s', (_, calls) => {
    expect(holds({ calls })).toEqual([true, false, true]);
  });

  it('does not hold for a wire that had more, or less, or nothing', () => {
    expect(holds({ requests: [{ messages, tools: [search, tool('sum'), tool('other')] }] })[2]).toBe(false);
    expect(holds({ requests: [request, { messages, tools: [search] }] })[2]).toBe(false);
    expect(holds({ requests: [{ messages: [user('x')], tools: [search, tool('sum')] }] })[2]).toBe(false);
    expect(holds({ requests: [] })[2]).toBe(false);
    // Only what a search answered counts as loaded.
    const lie = [user('x'), call('1', 'sum'), answer('1', found('other'))];
    expect(holds({ requests: [{ messages: lie, tools: [search, tool('other')] }] })[2]).toBe(false);
  });

  it('does not hold without an answer', () => {
    expect(holds({ ended: false })[0]).toBe(false);
  });
});
