/**
 * `npm run test:faults`: every scenario on every store, one table, and a failure if the books do not close. Names of stores
 * and of scenarios after it (`-- redis cuts`) run those alone. Needs Linux, and the programs of PostgreSQL and Redis: the
 * servers are the harness's own.
 */

import { killAll } from './crew.js';
import { fullProgramme, SCENARIOS } from './programme.js';
import { MissingServerError, type OwnServer, ownPostgres, ownRedis } from './servers.js';
import type { Report, Site } from './stage.js';
import { faultsOf, tableOf, violationsOf } from './table.js';

const LEAST_FAULTS = 1_000;

const words = process.argv.slice(2);
const seed = Number(process.env.HOLDFAST_FAULTS_SEED ?? 1);
console.log(`Seed ${seed}; HOLDFAST_FAULTS_SEED sets another, which chooses other faults.`);

const started = performance.now();
const servers: OwnServer[] = [];
const skipped: string[] = [];

const SITES: Readonly<Record<Site['kind'], () => Promise<Site>>> = {
  sqlite: async () => ({ kind: 'sqlite' }),
  postgres: () => siteOf('postgres', ownPostgres),
  redis: () => siteOf('redis', ownRedis),
};

async function siteOf(kind: Site['kind'], make: () => Promise<OwnServer>): Promise<Site> {
  const server = await make();
  servers.push(server);
  await server.start();
  return { kind, url: server.url, server };
}

/** All of `names`, unless words name some of them. */
function wanted<Name extends string>(names: readonly Name[]): readonly Name[] {
  const named = names.filter((name) => words.includes(name));
  return named.length === 0 ? names : named;
}

/** Each store has its own chain of scenarios; the chains wait for different things, and so run beside one another. */
async function runOn(kind: Site['kind']): Promise<Report[]> {
  const reports: Report[] = [];
  const site = await siteUnlessMissing(kind);
  if (site === undefined) return [];
  const chosen = wanted(SCENARIOS);
  for (const { name, run } of fullProgramme(site, seed)) {
    if (chosen.includes(name)) reports.push(await run());
  }
  return reports;
}

/** A store whose server is not on a person's machine is left out, loudly; in CI that is a failure. */
async function siteUnlessMissing(kind: Site['kind']): Promise<Site | undefined> {
  try {
    return await SITES[kind]();
  } catch (error) {
    if (!(error instanceof MissingServerError) || process.env.CI) throw error;
    console.warn(`SKIPPED ${kind}: ${error.message}`);
    skipped.push(kind);
    return undefined;
  }
}

/** Prints what was found. Gives the exit code. */
function tell(reports: readonly Report[]): number {
  console.log(tableOf(reports));
  const faults = reports.reduce((sum, report) => sum + faultsOf(report), 0);
  const violations = reports.flatMap((report) =>
    violationsOf(report).map(
      ({ name, left, right }) => `${report.scenario}, ${report.store}: ${name}: ${left} ≠ ${right}`,
    ),
  );
  const byKind = new Map<string, number>();
  for (const report of reports) {
    for (const [kind, count] of Object.entries(report.faults)) byKind.set(kind, (byKind.get(kind) ?? 0) + count);
  }
  const isWhole = words.length === 0 && skipped.length === 0;
  if (isWhole && faults < LEAST_FAULTS) violations.push(`fewer than ${LEAST_FAULTS} faults`);
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`\n${Array.from(byKind, ([kind, count]) => `${count} × ${kind}`).join(', ')}`);
  console.log(`${faults} faults beside the duplicates, ${violations.length} violations, ${seconds} s`);
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  return violations.length === 0 ? 0 : 1;
}

/** Leaves no process and no data behind, also of chains that are still at work. */
async function leave(code: number): Promise<never> {
  killAll();
  for (const server of servers) await server.remove();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(1));
try {
  const chains = await Promise.all(wanted(Object.keys(SITES) as Site['kind'][]).map(runOn));
  await leave(tell(chains.flat()));
} catch (error) {
  console.error(error);
  await leave(1);
}
