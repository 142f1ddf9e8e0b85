/** Recorded-shape streams: one file per fault, with what must come of it. */

import { readdirSync, readFileSync } from 'node:fs';
import { StreamingToolCallBuffer, type ToolCallVerdict } from '@holdfast/stream-buffer';
import { aiSdkReader } from '@holdfast/stream-buffer/ai-sdk';
import { anthropicReader } from '@holdfast/stream-buffer/anthropic';
import { bedrockReader } from '@holdfast/stream-buffer/bedrock';
import { type DialectReader, type FinishedCall, followToolCalls } from '@holdfast/stream-buffer/follow';
import { geminiReader } from '@holdfast/stream-buffer/gemini';
import { langChainReader } from '@holdfast/stream-buffer/langchain';
import { openAIChatReader } from '@holdfast/stream-buffer/openai-chat';
import { openAIResponsesReader } from '@holdfast/stream-buffer/openai-responses';

/** By folder. A fixture is JSON, so its chunks are what the reader must be able to take. */
export const readers: Readonly<Record<string, () => DialectReader<never>>> = {
  'ai-sdk': aiSdkReader,
  anthropic: anthropicReader,
  bedrock: bedrockReader,
  gemini: geminiReader,
  langchain: langChainReader,
  'openai-chat': openAIChatReader,
  'openai-responses': openAIResponsesReader,
};

export interface Fixture {
  readonly dialect: string;
  /** The fault. */
  readonly name: string;
  readonly chunks: readonly unknown[];
  /** The calls that are over, in the order in which they are given. */
  readonly calls: readonly ExpectedCall[];
  /** What `onFieldDelta` must have joined, by id and field. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Of `FinishedCall`, what the fixture looks at. */
export interface ExpectedCall {
  readonly id: string;
  readonly name?: string;
  readonly kind: ToolCallVerdict['kind'];
}

const folder = new URL('../fixtures/', import.meta.url);

export function readFixtures(): Fixture[] {
  return readdirSync(folder).flatMap((dialect) =>
    readdirSync(new URL(`${dialect}/`, folder)).map((file) => ({
      dialect,
      name: file.replace('.json', '').replaceAll('-', ' '),
      ...JSON.parse(readFileSync(new URL(`${dialect}/${file}`, folder), 'utf8')),
    })),
  );
}

/** Follows the chunks to their end. */
export function followAll<Chunk>(
  chunks: Iterable<Chunk>,
  read: DialectReader<Chunk>,
  buffer: StreamingToolCallBuffer = new StreamingToolCallBuffer(),
): FinishedCall[] {
  const follower = followToolCalls(buffer, read);
  return [...Array.from(chunks, (chunk) => follower.push(chunk)).flat(), ...follower.end()];
}

/** A finished call and its verdict in one object. */
export function flat({ verdict, ...call }: FinishedCall): Record<string, unknown> {
  return { ...call, ...verdict };
}
