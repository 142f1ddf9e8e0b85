import { describe, expect, it } from 'vitest';
import type { ChatMessage, ChatRequest } from '../src/model/chat.js';
import { nextReply } from '../src/model/script.js';

const task: ChatMessage = { role: 'user', content: 'Report.\nFile: notes.md\nRecipient: team@example.com' };
let serial = 0;

/** A call and its answer, as they stand in a conversation. */
function turn(name: string, args: object, result: string, id = `id_${serial++}`): ChatMessage[] {
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, function: { name, arguments: JSON.stringify(args) } }] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}

function request(messages: ChatMessage[], tools: string[]): ChatRequest {
  return { model: 'm', stream: true, messages, tools: tools.map((name) => ({ function: { name } })) };
}

const read = turn('read_file', { path: 'notes.md' }, '[ref: tool0turn0]\nsome text');
const written = turn('write_report', {}, '{"ok":true,"parts":4,"characters":9,"sha256":"abc"}');
const all = ['read_file', 'write_report', 'send_email'];

describe('nextReply', () => {
  it('reads first', () => {
    expect(nextReply(request([task], all)).call).toEqual({ name: 'read_file', args: { path: 'notes.md' } });
  });

  it('writes by reference where the conversation offers one, and copies the text where it does not', () => {
    const byReference = nextReply(request([task, ...read], all)).call;
    expect(byReference).toEqual({
      name: 'write_report',
      args: { title: 'Report on notes.md', text: '{{tool0turn0}}' },
    });
    const json = turn('read_file', {}, '{"_ref": "tool0turn0", "a": 1}');
    expect(nextReply(request([task, ...json], all)).call?.args['text']).toBe('{{tool0turn0}}');
    const plain = turn('read_file', {}, 'some text');
    expect(nextReply(request([task, ...plain], all)).call?.args['text']).toBe('some text');
  });

  it('pairs calls with answers although ids repeat', () => {
    const messages = [
      task,
      ...turn('read_file', {}, '[ref: tool0turn0]\nx', 'call_0'),
      ...turn('write_report', {}, '{"ok":false,"error":"no"}', 'call_0'),
    ];
    expect(nextReply(request(messages, all)).call?.name).toBe('write_report');
  });

  it('searches for the e-mail tool while it is not offered, and uses it once it is', () => {
    const messages = [task, ...read, ...written];
    expect(nextReply(request(messages, ['read_file', 'search_tools'])).call?.name).toBe('search_tools');
    expect(nextReply(request(messages, all)).call).toMatchObject({
      name: 'send_email',
      args: { to: 'team@example.com' },
    });
  });

  it('is done after the whole e-mail and not after half of one', () => {
    const messages = [task, ...read, ...written];
    const email = nextReply(request(messages, all)).call?.args as { body: string };
    const half = turn('send_email', { ...email, body: email.body.slice(0, 40) }, '{"ok":true}');
    expect(nextReply(request([...messages, ...half], all)).call?.name).toBe('send_email');
    const whole = turn('send_email', email, '{"ok":true}');
    expect(nextReply(request([...messages, ...whole], all))).toEqual({ text: expect.stringContaining('is sent') });
  });

  it('gives up on a tool that keeps failing, and leaves an open question to a person', () => {
    const failed = [1, 2, 3].flatMap(() => turn('write_report', {}, 'Error'));
    expect(nextReply(request([task, ...read, ...failed], all)).call).toBeUndefined();
    const open = turn('send_email', {}, 'Nobody knows. Tell the user that a person must check it.');
    const reply = nextReply(request([task, ...read, ...written, ...open], all));
    expect(reply).toEqual({ text: expect.stringContaining('a person has to look') });
  });

  it('writes three notes, each until it is written, and then says nothing', () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'File: notes.md\n\nhistory' }];
    const notes: unknown[] = [];
    for (let reply = nextReply(request(messages, ['memory_append'])); reply.call; ) {
      notes.push(reply.call.args['note']);
      messages.push(...turn('memory_append', reply.call.args, notes.length === 2 ? '{"ok":false}' : '{"ok":true}'));
      reply = nextReply(request(messages, ['memory_append']));
      if (!reply.call) expect(reply.text).toBe('NO_REPLY');
    }
    expect(notes).toHaveLength(4);
    expect(notes[1]).toBe(notes[2]);
    expect(new Set(notes).size).toBe(3);
  });
});
