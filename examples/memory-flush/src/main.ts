/** `node dist/main.js [--model openai]`: runs the scenarios, shows them, and answers with an exit code. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startModelServer } from './model-server.js';
import { failingDisk, longChat, repeatingModel, type ScenarioReport, type World, withoutMemory } from './scenarios.js';

const HELP = `Usage: node dist/main.js [--model local|openai] [--keep]

  --model openai  a real model: needs OPENAI_API_KEY; OPENAI_BASE_URL and OPENAI_MODEL are heeded
  --keep          leaves the memory files on the disk and says where
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { model: { type: 'string', default: 'local' }, keep: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.model !== 'local' && values.model !== 'openai') return refuse(`--model is local or openai.\n${HELP}`);
  const { OPENAI_API_KEY } = process.env;
  if (values.model === 'openai' && !OPENAI_API_KEY) return refuse('--model openai needs OPENAI_API_KEY.\n');
  const root = await mkdtemp(join(tmpdir(), 'memory-flush-'));
  const reports = values.model === 'local' ? await runLocal(root) : [await run(longChat, root, {})];
  if (values.keep) process.stdout.write(`The memory files are in ${root}\n`);
  else await rm(root, { recursive: true });
  return reports.every(({ holds }) => holds) ? 0 : 1;
}

async function runLocal(root: string): Promise<ScenarioReport[]> {
  const server = await startModelServer();
  try {
    const reports: ScenarioReport[] = [];
    for (const scenario of [longChat, failingDisk, repeatingModel, withoutMemory]) {
      reports.push(await run(scenario, root, { baseURL: server.url }, server));
    }
    return reports;
  } finally {
    await server.close();
  }
}

async function run(
  scenario: (world: World) => Promise<ScenarioReport>,
  root: string,
  endpoint: { readonly baseURL?: string },
  server?: World['server'],
): Promise<ScenarioReport> {
  const { OPENAI_BASE_URL, OPENAI_MODEL = 'gpt-5-mini' } = process.env;
  const baseURL = endpoint.baseURL ?? OPENAI_BASE_URL;
  const modelName = server ? 'local' : OPENAI_MODEL;
  const options = { directory: join(root, scenario.name), modelName, ...(baseURL && { baseURL }) };
  const report = await scenario({ options, ...(server && { server }) });
  process.stdout.write(`\n${report.holds ? '✓' : '✗'} ${report.title}\n`);
  for (const line of report.lines) process.stdout.write(`    ${line}\n`);
  return report;
}

function refuse(message: string): number {
  process.stderr.write(message);
  return 2;
}
