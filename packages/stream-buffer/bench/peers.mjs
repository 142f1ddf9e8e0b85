/** What a host would otherwise use to read a field of arguments that stream in, each in its cheapest way. */

import { partialParse as anthropicParse } from '@anthropic-ai/sdk/_vendor/partial-json-parser/parser.mjs';
import { AIMessageChunk } from '@langchain/core/messages';
import { parsePartialJson as langchainParse } from '@langchain/core/output_parsers';
import { JSONParser } from '@streamparser/json';
import { parsePartialJson as aiParse } from 'ai';
import { parse as bestEffortParse } from 'best-effort-json-parser';
import { jsonrepair } from 'jsonrepair';
import { parse as jsonriver } from 'jsonriver';
import { partialParse as openaiParse } from 'openai/_vendor/partial-json-parser/parser.mjs';
import { parse as partialJsonParse } from 'partial-json';
import { jsonParser } from 'stream-json/parser.js';

/** Each reads a whole stream and returns how many characters of `content` it has shown. */
export const incremental = {
  'stream-json, string chunks': (chunks) => {
    const parse = jsonParser({ packStrings: false });
    let key = '';
    let inValue = false;
    let shown = 0;
    for (const chunk of chunks) {
      const tokens = parse(chunk)?.values ?? [];
      for (const { name, value } of tokens) {
        if (name === 'keyValue') key = value;
        else if (name === 'startString') inValue = key === 'content';
        else if (name === 'stringChunk' && inValue) shown += value.length;
      }
    }
    return shown;
  },
  '@streamparser/json, partial values': (chunks) => {
    let content = '';
    const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true, paths: ['$.content'] });
    parser.onValue = ({ value }) => {
      if (value !== undefined) content = value;
    };
    for (const chunk of chunks) parser.write(chunk);
    return content.length;
  },
  'jsonriver, whole value': async (chunks) => {
    let content = '';
    for await (const value of jsonriver(oneByOne(chunks))) content = value.content ?? '';
    return content.length;
  },
};

async function* oneByOne(chunks) {
  yield* chunks;
}

/** Each parses a text from its beginning once more, as one does after every chunk. */
export const reparsing = {
  'LangChain parsePartialJson': (text) => langchainParse(text)?.content,
  'AI SDK parsePartialJson': async (text) => (await aiParse(text)).value?.content,
  'partial-json': (text) => partialJsonParse(text).content,
  'best-effort-json-parser': (text) => bestEffortParse(text).content,
  'jsonrepair and JSON.parse': repairAndParse,
  'OpenAI SDK partialParse': (text) => openaiParse(text).content,
  'Anthropic SDK partialParse': (text) => anthropicParse(text).content,
};

/** It refuses some beginnings of a text. */
function repairAndParse(text) {
  try {
    return JSON.parse(jsonrepair(text)).content;
  } catch {
    return undefined;
  }
}

/** LangChain's own path: the message so far, one more chunk, and a look at its tool calls. */
export function concatAndRead(message, chunk) {
  return message.concat(messageOf(chunk)).tool_calls[0]?.args.content;
}

export function messageOf(args) {
  return new AIMessageChunk({ content: '', tool_call_chunks: [{ type: 'tool_call_chunk', id: 'a', index: 0, args }] });
}
