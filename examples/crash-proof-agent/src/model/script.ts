/**
 * The scripted model's mind. It has no memory of its own: like a real model it looks at the conversation that it
 * gets and decides what is missing, so a restarted or repeated turn comes out as the same intent.
 */
import { type AnsweredCall, answeredCalls, type ChatRequest, parseObject, textOf } from './chat.js';

export interface ScriptedReply {
  readonly text: string;
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
}

/** After this many fruitless tries of one tool the model gives up and says so. */
const MAX_TRIES = 3;

export function nextReply(request: ChatRequest): ScriptedReply {
  const tools = new Set((request.tools ?? []).map((tool) => tool.function.name));
  const calls = answeredCalls(request.messages);
  const task = request.messages.filter((message) => message.role === 'user').map(textOf);
  if (tools.has('memory_append')) return writeMemory(task, calls);
  return doTask(task.join('\n'), calls, tools);
}

function doTask(task: string, calls: readonly AnsweredCall[], tools: ReadonlySet<string>): ScriptedReply {
  const file = /^File: (.+)$/m.exec(task)?.[1] ?? 'README.md';
  const to = /^Recipient: (.+)$/m.exec(task)?.[1] ?? 'team@example.com';
  const read = calls.find((call) => call.name === 'read_file');
  if (read === undefined) return ask('I read the file first.', 'read_file', { path: file });

  const title = `Report on ${file}`;
  const report = lastSuccess(calls, 'write_report');
  if (report === undefined) {
    if (tries(calls, 'write_report') >= MAX_TRIES) return { text: 'The report could not be published.' };
    return ask('Now the report.', 'write_report', { title, text: referenceTo(read) ?? read.result });
  }

  const email = { to, subject: title, body: letter(file, report) };
  const unclear = calls.find((call) => call.name === 'send_email' && /a person must check it/.test(call.result));
  if (unclear)
    return { text: 'The report is published. Whether the e-mail went out is not known; a person has to look.' };
  const sent = calls.some((call) => call.name === 'send_email' && isSuccess(call) && call.args['body'] === email.body);
  if (sent) return { text: `The report on ${file} is published and the e-mail to ${to} is sent. ✅` };
  if (!tools.has('send_email')) {
    if (tries(calls, 'search_tools') >= MAX_TRIES) return { text: 'There is no tool that sends e-mail.' };
    return ask('I need a tool that sends e-mail.', 'search_tools', { query: 'send an e-mail to a person' });
  }
  if (tries(calls, 'send_email') >= MAX_TRIES) return { text: 'The e-mail could not be sent.' };
  return ask('', 'send_email', email);
}

/** The reply that writes the next note of the three, or the silent token when all are written. */
function writeMemory(task: readonly string[], calls: readonly AnsweredCall[]): ScriptedReply {
  const file = /^File: (.+)$/m.exec(task.join('\n'))?.[1] ?? 'README.md';
  const notes = [
    `The report on ${file} is published in four parts.`,
    `The e-mail about ${file} went to the team — once, 一次, einmal. ✉️`,
    `search_tools finds send_email; nothing is left to do for ${file}.`,
  ];
  const written = calls
    .filter((call) => call.name === 'memory_append' && isSuccess(call))
    .map((call) => call.args['note']);
  const open = notes.find((note) => !written.includes(note));
  if (open === undefined || tries(calls, 'memory_append') >= 4 * MAX_TRIES) return { text: 'NO_REPLY' };
  return ask('', 'memory_append', { note: open });
}

function letter(file: string, report: AnsweredCall): string {
  const { parts, characters, sha256 } = parseObject(report.result);
  return [
    'Hello team 👋,',
    `the report on ${file} is published in ${parts} parts (${characters} characters, sha256 ${sha256}).`,
    'It holds the file byte for byte. Grüße, 您的代理人',
  ].join('\n');
}

/** The placeholder for a stored output, when the conversation offers one. */
function referenceTo(call: AnsweredCall): string | undefined {
  const key =
    /^\[ref: (tool\d+turn\d+)\]/.exec(call.result)?.[1] ?? /"_ref":\s*"(tool\d+turn\d+)"/.exec(call.result)?.[1];
  return key && `{{${key}}}`;
}

function ask(text: string, name: string, args: Readonly<Record<string, unknown>>): ScriptedReply {
  return { text, call: { name, args } };
}

function isSuccess(call: AnsweredCall): boolean {
  return parseObject(call.result)['ok'] === true;
}

function lastSuccess(calls: readonly AnsweredCall[], name: string): AnsweredCall | undefined {
  return calls.filter((call) => call.name === name && isSuccess(call)).at(-1);
}

function tries(calls: readonly AnsweredCall[], name: string): number {
  return calls.filter((call) => call.name === name).length;
}
