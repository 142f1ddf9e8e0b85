/** `npm run test:faults`: every scenario on every store, one table, and a failure if the books do not close. */

import { killAll } from './crew.js';
import { fullProgramme } from './programme.js';
import { type OwnServer, ownPostgres, ownRedis } from './servers.js';
import type { Report, Site } from './stage.js';
import { faultsOf, tableOf, violationsOf } from './table.js';

const LEAST_FAULTS = 1_000;

const seed = Number(process.env.HOLDFAST_FAULTS_SEED ?? Date.now() % 1_000_000);
console.log(`Seed ${seed}. HOLDFAST_FAULTS_SEED=${seed} chooses the same faults again.`);

const started = performance.now();
const servers: OwnServer[] = [];

/** Each store has its own chain of scenarios; the chains wait for different things, and so run beside one another. */
async function runOn(openSite: () => Promise<Site>): Promise<Report[]> {
  const reports: Report[] = [];
  const site = await openSite();
  for (const scenario of fullProgramme(site, seed)) reports.push(await scenario());
  return reports;
}

async function startedServer(make: () => Promise<OwnServer>): Promise<OwnServer> {
  const server = await make();
  servers.push(server);
  await server.start();
  return server;
}

try {
  const chains = await Promise.all([
    runOn(async () => ({ kind: 'sqlite' })),
    runOn(async () => {
      const server = await startedServer(ownPostgres);
      return { kind: 'postgres', url: server.url, server };
    }),
    runOn(async () => {
      const server = await startedServer(ownRedis);
      return { kind: 'redis', url: server.url, server };
    }),
  ]);
  process.exitCode = tell(chains.flat());
} finally {
  killAll();
  for (const server of servers) await server.remove();
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
  console.log(`\n${Array.from(byKind, ([kind, count]) => `${count} × ${kind}`).join(', ')}`);
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${faults} faults beside the duplicates, ${violations.length} violations, ${seconds} s`);
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  if (faults >= LEAST_FAULTS) return violations.length === 0 ? 0 : 1;
  console.log(`VIOLATION: fewer than ${LEAST_FAULTS} faults`);
  return 1;
}
