/**
 * The agent's tools, written once: the plain agent and the one with Holdfast run this same code. A tool asks for the
 * receipt of the running call, which has its idempotency key and its journal. Without Holdfast there is none.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tool } from 'langchain';
import { z } from 'zod';
import type { Job } from '../protocol.js';
import { group } from '../screen/text.js';
import type { WorldClient } from '../world/world-client.js';
import { appendNote } from './memory.js';
import { REPORT_PARTS, splitText } from './split-text.js';
import type { Stage } from './stage.js';

/** What a tool uses of its receipt; `currentEffect()` of `@holdfast/langchain` gives it. */
export interface RunningEffect {
  readonly idempotencyKey: string;
  step<T>(name: string, run: () => Promise<T>): Promise<T>;
}

export interface ToolHost {
  readonly job: Job;
  readonly world: WorldClient;
  readonly stage: Stage;
  readonly currentEffect: () => RunningEffect | undefined;
}

export function readFileTool({ job, stage }: ToolHost) {
  return tool(
    async ({ path }) => {
      if (path !== job.inputName) return JSON.stringify({ ok: false, error: `The only file here is ${job.inputName}` });
      const text = await readFile(job.inputPath, 'utf8');
      stage.call({ tool: 'read_file', state: 'running', note: `${group(text.length)} characters` });
      return text;
    },
    {
      name: 'read_file',
      description: 'Reads a text file. Returns its whole text.',
      schema: z.object({ path: z.string().describe('The name of the file') }),
    },
  );
}

export function writeReportTool(host: ToolHost) {
  return tool(
    async ({ title, text }) => {
      const ways: PublishedBy[] = [];
      for (const [index, part] of splitText(text, REPORT_PARTS).entries()) {
        ways.push(await publishPart(host, { title, part: index + 1, of: REPORT_PARTS, text: part }));
        if (index === 1) await host.stage.at('report-between-steps');
      }
      const note = noteOn(ways);
      if (note !== '') host.stage.call({ tool: 'write_report', state: 'running', note });
      const sha256 = createHash('sha256').update(text).digest('hex');
      return JSON.stringify({ ok: true, parts: REPORT_PARTS, characters: text.length, sha256 });
    },
    {
      name: 'write_report',
      description: 'Publishes a report. Returns in how many parts, its number of characters and its SHA-256.',
      schema: z.object({ title: z.string(), text: z.string().describe('The whole text of the report') }),
    },
  );
}

interface Part {
  readonly title: string;
  readonly part: number;
  readonly of: number;
  readonly text: string;
}

/** Where a part's being published was learnt from. */
type PublishedBy = 'journal' | 'look outside' | 'this attempt';

/** One step of the report. The journal skips it once it is recorded; until then only a look outside tells whether it is done. */
async function publishPart({ world, stage, currentEffect }: ToolHost, part: Part): Promise<PublishedBy> {
  const effect = currentEffect();
  let by: PublishedBy = 'journal';
  const publish = async (): Promise<string> => {
    const idempotencyKey = effect && `${effect.idempotencyKey}/${part.part}`;
    const arrived = idempotencyKey !== undefined && (await world.hasArrived(idempotencyKey));
    if (!arrived) await world.publishPart({ ...part, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    by = arrived ? 'look outside' : 'this attempt';
    if (part.part === 3) await stage.at('report-part-arrived');
    return 'published';
  };
  await (effect ? effect.step(`part ${part.part}`, publish) : publish());
  return by;
}

/** How a report came about that earlier attempts had begun; empty for one that had not. */
function noteOn(ways: readonly PublishedBy[]): string {
  const count = (way: PublishedBy): number => ways.filter((each) => each === way).length;
  if (count('this attempt') === ways.length) return '';
  return `${count('journal')} in journal, ${count('look outside')} seen outside`;
}

export function sendEmailTool({ world, stage, currentEffect }: ToolHost) {
  return tool(
    async (email) => {
      const idempotencyKey = currentEffect()?.idempotencyKey;
      await stage.at('email-claimed');
      const { id } = await world.sendEmail({ ...email, ...(idempotencyKey !== undefined && { idempotencyKey }) });
      await stage.at('email-arrived');
      return JSON.stringify({ ok: true, id });
    },
    {
      name: 'send_email',
      description: 'Sends an e-mail to a person or a team.',
      schema: z.object({ to: z.string(), subject: z.string(), body: z.string() }),
    },
  );
}

export function memoryAppendTool({ job, stage, currentEffect }: ToolHost) {
  let appended = 0;
  return tool(
    async ({ note }) => {
      appendNote(job.directory, note, currentEffect()?.idempotencyKey);
      appended += 1;
      if (appended === 2) await stage.at('memory-landed');
      return JSON.stringify({ ok: true });
    },
    {
      name: 'memory_append',
      description: 'Writes one note into the long-term memory.',
      schema: z.object({ note: z.string() }),
    },
  );
}
