import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolRegistry } from '@holdfast/tool-registry';
import { afterAll, expect, it } from 'vitest';
import { CatalogueError, readCatalogue, registerCatalogue } from '../src/catalogue.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string): string {
  const path = join(folder, 'tools.json');
  writeFileSync(path, content);
  return path;
}

it('reads a bare list and one that is called tools', async () => {
  expect(await readCatalogue(file('[1]'))).toEqual([1]);
  expect(await readCatalogue(file('{"tools":[2]}'))).toEqual([2]);
  for (const content of ['', '{}', '{"tools":{}}', 'null', '3']) {
    await expect(readCatalogue(file(content))).rejects.toThrow(CatalogueError);
  }
});

it('takes each tool that it can and tells of the others', async () => {
  const registry = new ToolRegistry();
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const report = registerCatalogue(registry, [
    { name: 'get_weather', server: 'sky', description: 'Tells the weather.', inputSchema },
    { name: 'sky__get_wind', server: 'sky', inputSchema },
    { name: 'ask me!' },
    { name: 'get_weather', server: 'sky', inputSchema },
    { name: 'listed', inputSchema: { type: 'array' } },
    { name: 'worded', inputSchema: 'object' },
    null,
  ]);
  expect(report.added).toBe(3);
  expect(report.refused.map(({ name }) => name)).toEqual(['get_weather', 'listed', 'worded', 'tool 7']);
  const [weather, wind, ask] = registry.listNames();
  expect([weather, wind]).toEqual(['sky__get_weather', 'sky__get_wind']);
  expect(ask).toMatch(/^ask_me.*_\w+$/);
  expect(registry.toLLMTools()).toEqual([]);
  registry.activate(['sky__get_weather']);
  expect(await registry.execute('sky__get_weather', {}, {})).toMatchObject({ code: 'invalid_input' });
  const called = await registry.execute('sky__get_weather', { city: 'Bergen' }, {});
  expect(called).toMatchObject({ success: false, output: expect.stringContaining('only described') });
});
