/** The list of servers, against what is installed and what the README says. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVERS } from '../src/servers.js';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

it('is what the README lists', () => {
  const rows = [...read('README.md').matchAll(/^\| `(\w+)` +\| `(\S+)` +\| (\d+) +\|$/gm)];
  expect(rows.map(([, server, name]) => [server, name])).toEqual(
    SERVERS.map(({ server, package: name }) => [server, name]),
  );
  const sum = rows.reduce((total, [, , , tools]) => total + Number(tools), 0);
  expect(read('README.md')).toContain(`${sum} tools, all deferred.`);
});

it('is pinned to exact versions', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  for (const { package: name } of SERVERS) expect(dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});
