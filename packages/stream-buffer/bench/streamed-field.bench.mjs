/**
 * The time to follow one long field of a tool call's arguments, reading it after every chunk, beside what a host would
 * otherwise use. The floor joins the chunks and looks at each character once.
 *
 * Contenders that parse the text so far at every chunk are quadratic; they are sampled at the middle of equal parts of
 * the stream, marked *, and counted as if each part cost the same, on flat texts, which is less than a real stream costs them.
 * What looking inside a whole value costs (the engine flattens it each time) is not measured: only its length is read.
 *
 *     pnpm build && node bench/streamed-field.bench.mjs
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StreamingToolCallBuffer } from '@holdfast/stream-buffer';
import { compare, growthExponent } from '../../../scripts/bench.mjs';
import { concatAndRead, incremental, messageOf, reparsing } from './peers.mjs';

const KILOBYTE = 1_024;
const sizes = { '1 KB': KILOBYTE, '16 KB': 16 * KILOBYTE, '128 KB': 128 * KILOBYTE, '1 MB': KILOBYTE * KILOBYTE };

const ours = {
  'Holdfast, deltas taken': (chunks) => {
    const buffer = new StreamingToolCallBuffer();
    let shown = 0;
    for (const chunk of chunks) {
      buffer.append('a', chunk);
      shown += buffer.takeFieldDelta('a', 'content')?.text.length ?? 0;
    }
    return shown;
  },
  'Holdfast, deltas told': (chunks) => {
    const buffer = new StreamingToolCallBuffer();
    let shown = 0;
    buffer.onFieldDelta('content', ({ text }) => {
      shown += text.length;
    });
    for (const chunk of chunks) buffer.append('a', chunk);
    return shown;
  },
  'Holdfast, whole value': (chunks) => {
    const buffer = new StreamingToolCallBuffer();
    let shown = 0;
    for (const chunk of chunks) {
      buffer.append('a', chunk);
      shown = buffer.extractFieldValue('a', 'content')?.length ?? 0;
    }
    return shown;
  },
};

await checkAll();
const times = [];
for (const [name, size] of Object.entries(sizes)) {
  const results = await compareAt(name, size);
  times.push([size, results.get('Holdfast, deltas taken').micros]);
}
console.log(`growth of "deltas taken" from 16 KB to 1 MB: exponent ${growthExponent(times.slice(1)).toFixed(2)}\n`);
for (const length of [256, 4_096, 65_536]) await compareWithParse(length);
measureHeap();

/** 4-character chunks, against the floor. */
async function compareAt(name, size) {
  const text = argumentsOf(size);
  const chunks = chunksOf(text, 4);
  const samples = size > 500_000 ? 2 : 5;
  const ends = Array.from({ length: samples }, (_, part) => Math.round((text.length * (part + 0.5)) / samples));
  const prefixes = ends.map((end) => text.slice(0, end));
  const calls = samples / chunks.length;
  const sampled = Object.fromEntries(
    Object.entries(reparsing).map(([peer, parse]) => [`${peer} *`, { run: () => each(prefixes, parse), calls }]),
  );
  const messages = prefixes.map(messageOf);
  const concat = { run: () => each(messages, (message) => concatAndRead(message, 'abcd')), calls };
  const rest = { ...sampled, 'AIMessageChunk.concat, tool_calls *': concat };
  const run = (contender) => () => contender(chunks);
  const whole = { floor, ...ours, ...incremental };
  const bound = Object.fromEntries(Object.entries(whole).map(([peer, contender]) => [peer, run(contender)]));
  const results = await compare(`${name} in 4-character chunks`, bound);
  // Apart: what these leave to the garbage collector would be charged to whoever comes next.
  await compare('  sampled', { floor: bound.floor, ...rest }, size > 100_000 ? { rounds: 3, warmUps: 1 } : {});
  return results;
}

/** Longer chunks, against one JSON.parse of the finished text. */
async function compareWithParse(length) {
  const text = argumentsOf(sizes['128 KB']);
  const chunks = chunksOf(text, length);
  await compare(`128 KB in ${length}-character chunks`, {
    'JSON.parse, once': () => JSON.parse(text).content.length,
    'Holdfast, nothing read': () => {
      const buffer = new StreamingToolCallBuffer();
      for (const chunk of chunks) buffer.append('a', chunk);
      return buffer.has('a');
    },
    'Holdfast, deltas taken': () => ours['Holdfast, deltas taken'](chunks),
  });
}

/** Bytes of heap for each character of 1 MB, while the stream is open. */
function measureHeap() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const readings = {
    'raw text, deltas taken': (buffer) => buffer.takeFieldDelta('a', 'content'),
    'raw text and whole value': (buffer) => buffer.extractFieldValue('a', 'content'),
  };
  console.log('heap, 1 MB in 4-character chunks');
  for (const [name, read] of Object.entries(readings)) {
    const text = argumentsOf(sizes['1 MB']);
    text.charCodeAt(0);
    const buffer = new StreamingToolCallBuffer();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < text.length; at += 4) {
      buffer.append('a', text.slice(at, at + 4));
      read(buffer);
    }
    collect();
    const used = process.memoryUsage().heapUsed - before;
    console.log(`  ${name.padEnd(34)} ${(used / text.length).toFixed(2).padStart(9)}   bytes a character`);
    buffer.finish('a');
  }
}

/** Every incremental contender must have shown the whole field, or its time says nothing. */
async function checkAll() {
  const text = argumentsOf(2_000);
  const expected = JSON.parse(text).content.length;
  for (const [name, contender] of Object.entries({ ...ours, ...incremental })) {
    const shown = await contender(chunksOf(text, 4));
    if (shown !== expected) throw new Error(`${name} showed ${shown} of ${expected} characters`);
  }
}

function floor(chunks) {
  let text = '';
  let quotes = 0;
  for (const chunk of chunks) {
    text += chunk;
    for (let at = 0; at < chunk.length; at++) if (chunk.charCodeAt(at) === 0x22) quotes++;
  }
  return text.length + quotes;
}

async function each(values, use) {
  for (const value of values) {
    const given = use(value);
    if (given instanceof Promise) await given;
  }
}

function chunksOf(text, length) {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, part) =>
    text.slice(part * length, (part + 1) * length),
  );
}

/** A file of source code with escapes, quotes and characters beyond Latin-1, as a tool would be asked to write it. */
function argumentsOf(length) {
  const lines = (part) => [
    "import { useState } from 'react';",
    `// Section ${part}: naïve “quotes” and an emoji 🎉 now and then`,
    `export function Card${part}({ title, items }: { title: string; items: string[] }) {`,
    '\tconst [open, setOpen] = useState(false);',
    '\tif (!items.length) return null;',
    `\treturn <section className="card" id="card-${part}" onClick={() => setOpen(!open)}>`,
    '\t\t<h2 aria-label="title">{title}</h2>{open && <p data-path={"c:\\\\tmp"}>{items.join(", ")}</p>}',
    '\t</section>;',
    '}',
  ];
  let content = '';
  for (let part = 0; content.length < length; part++) content += `${lines(part).join('\n')}\n`;
  return JSON.stringify({ action: 'write', path: 'src/App.tsx', content: content.slice(0, length) });
}
