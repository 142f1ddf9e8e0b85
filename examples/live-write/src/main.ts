/** `node dist/main.js [--seed 7] [--place escape] [--model openai]`: shows the story and answers with an exit code. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import OpenAI from 'openai';
import { PLACES, type Place, randomFrom } from './cut-plan.js';
import { liveWrite } from './live-write.js';
import { startModelServer } from './model-server.js';
import type { Claim } from './proof.js';
import { STORY } from './story.js';

const HELP = `Usage: node dist/main.js [--seed number] [--place anywhere|character|escape] [--fast] [--keep]
                         [--model local|openai]

  --seed   cuts the stream at the same place again; printed at the start, random without it
  --place  cuts inside a character's bytes or inside an escape; without it the seed decides
  --fast   does not wait between tokens
  --keep   leaves the file on the disk and says where
  --model openai  a real model: needs OPENAI_API_KEY; OPENAI_BASE_URL and OPENAI_MODEL are heeded
`;

interface Settings {
  readonly seed: number;
  readonly place: Place | undefined;
  readonly pause: number;
  readonly directory: string;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      place: { type: 'string' },
      fast: { type: 'boolean' },
      keep: { type: 'boolean' },
      model: { type: 'string', default: 'local' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  const place = PLACES.find((known) => known === values.place);
  if (!Number.isSafeInteger(seed)) return refuse(`--seed is a whole number.\n${HELP}`);
  if (values.place !== undefined && place === undefined) return refuse(`--place is ${PLACES.join(', ')}.\n${HELP}`);
  if (values.model !== 'local' && values.model !== 'openai') return refuse(`--model is local or openai.\n${HELP}`);
  const isLocal = values.model === 'local';
  if (!isLocal && !process.env['OPENAI_API_KEY']) return refuse('--model openai needs OPENAI_API_KEY.\n');
  const directory = await mkdtemp(join(tmpdir(), 'live-write-'));
  const settings: Settings = { seed, place, pause: values.fast ? 0 : 6, directory };
  process.stdout.write(`seed ${seed}\n\n`);
  const claims = isLocal ? await runLocal(settings) : await runOpenAI(settings);
  process.stdout.write('\n');
  for (const { text, holds } of claims) process.stdout.write(`${holds ? '✓' : '✗'} ${text}\n`);
  if (values.keep) process.stdout.write(`\nThe file is ${join(directory, 'story.md')}\n`);
  else await rm(directory, { recursive: true });
  return claims.every(({ holds }) => holds) ? 0 : 1;
}

async function runLocal({ seed, place, pause, directory }: Settings): Promise<Claim[]> {
  const server = await startModelServer({ random: randomFrom(seed), pause, ...(place && { place }) });
  try {
    const client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
    const task = 'Write the story of the ferryman to story.md.';
    const { arrived, claims } = await liveWrite({ client, model: 'local', directory, task, show, say });
    const file = await readFile(join(directory, 'story.md'));
    const { cut } = server;
    return [
      { text: `the server broke the stream behind byte ${cut?.bytes} (${cut?.place})`, holds: cut !== undefined },
      { text: 'every event that it had sent whole arrived', holds: arrived === server.sentArguments },
      ...claims,
      {
        text: `the file is, byte for byte, the whole text: ${file.length} bytes`,
        holds: file.equals(Buffer.from(STORY)),
      },
    ];
  } finally {
    await server.close();
  }
}

async function runOpenAI({ seed, directory }: Settings): Promise<Claim[]> {
  const { claims } = await liveWrite({
    client: new OpenAI(),
    model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
    directory,
    task: 'Call write_file with the path story.md and a poem of eight lines, with an emoji in each line.',
    stopAfter: 40 + Math.floor(randomFrom(seed)() * 200),
    show,
    say,
  });
  return claims;
}

function show(text: string): void {
  process.stdout.write(text);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(message: string): number {
  process.stderr.write(message);
  return 2;
}
