/**
 * Building an index and asking it, at 100, 1,000 and 10,000 tools, against the libraries that a host would otherwise
 * take and a plain scan, each with names divided into words and weighted as its manual shows. Recall is that of the
 * judged queries: the made-up tools beside the judged ones are distractors, so it understates all contenders alike.
 *
 * Building is measured twice: the index alone, which is what all contenders do (texts read from the tools, divided into
 * words and indexed, asked once, since the first query sorts names and words), and `register`, which also renders, copies
 * and freezes every schema. The index alone is no export: it is bundled from its source here. Not measured: loading the libraries, and memory of the others.
 *
 * Run with `node --expose-gc` to see the heap.
 */

import { fileURLToPath } from 'node:url';
import { ToolRegistry } from '@holdfast/tool-registry';
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import { build as bundle } from 'esbuild';
import FlexSearch from 'flexsearch';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import okapibm25 from 'okapibm25';
import { compare, median } from '../../../scripts/bench.mjs';
import { judgedQueries, splitIdentifier, toolsFor, variantsFor } from './made-up-tools.mjs';

const BM25 = okapibm25.default;
const { SearchIndex } = await importSearchIndex();
const FIELDS = ['name', 'server', 'description', 'arguments', 'details'];
const BOOST = { name: 3, server: 2, description: 1, arguments: 0.5, details: 0.2 };
const HITS = 50;

/** The texts of a tool by field, names divided into words. */
function documentOf({ id, server, tool, description, arguments: args }) {
  const words = (text) => splitIdentifier(text).join(' ');
  return {
    id,
    name: words(tool),
    server: words(server),
    description,
    arguments: words(Object.keys(args).join(' ')),
    details: Object.values(args).join(' '),
  };
}

async function importSearchIndex() {
  const folder = fileURLToPath(new URL('../src/internal/search', import.meta.url));
  const contents = "export * from './search-index.js';";
  const { outputFiles } = await bundle({
    stdin: { contents, resolveDir: folder },
    conditions: ['@holdfast/source'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function shownSchema({ arguments: args }) {
  const described = Object.entries(args).map(([name, description]) => [name, { type: 'string', description }]);
  return { type: 'object', properties: Object.fromEntries(described) };
}

function schemaOf(tool) {
  const shown = shownSchema(tool);
  const validate = (value) => ({ value });
  return { '~standard': { version: 1, vendor: 'bench', validate, jsonSchema: { input: () => shown } } };
}

function holdfast(tools) {
  const registry = new ToolRegistry();
  const definitions = tools.map((one) => ({
    name: one.id,
    description: one.description,
    inputSchema: schemaOf(one),
    provenance: { server: one.server },
    execute: () => ({ success: true, output: '' }),
  }));
  registry.register(definitions, 'deferred');
  return (query) => registry.searchDeferred(query).map(({ name }) => name);
}

/** What `register` does for search, and nothing else of it. */
function holdfastIndex(tools) {
  const index = new SearchIndex(new Set());
  const documents = tools.map((one) => {
    const { id: name, server, description } = one;
    return { name, server, title: undefined, description, parameters: shownSchema(one), searchTerms: [] };
  });
  index.add(documents);
  return index.search('read a file');
}

function miniSearch(tools) {
  const index = new MiniSearch({
    fields: FIELDS,
    tokenize: splitIdentifier,
    searchOptions: { boost: BOOST, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(tools.map(documentOf));
  return (query) => index.search(query).map(({ id }) => id);
}

function orama(tools) {
  const schema = { id: 'string', ...Object.fromEntries(FIELDS.map((field) => [field, 'string'])) };
  const index = create({ schema, components: { tokenizer: { stemming: true } } });
  insertMultiple(index, tools.map(documentOf), 10_000);
  return (query) => {
    const term = splitIdentifier(query).join(' ');
    const { hits } = searchOrama(index, { term, properties: FIELDS, boost: BOOST, limit: HITS });
    return hits.map(({ document }) => document.id);
  };
}

function flexSearch(tools) {
  const index = new FlexSearch.Document({ tokenize: 'forward', document: { id: 'id', index: FIELDS } });
  for (const one of tools) index.add(documentOf(one));
  return (query) => {
    const found = index.search(splitIdentifier(query).join(' '), { limit: HITS, suggest: true });
    return [...new Set(found.flatMap(({ result }) => result))];
  };
}

function lunrIndex(tools) {
  const index = lunr(function describe() {
    this.ref('id');
    for (const field of FIELDS) this.field(field, { boost: BOOST[field] });
    for (const one of tools) this.add(documentOf(one));
  });
  return (query) =>
    index.query((asked) => asked.term(splitIdentifier(query), { usePipeline: true })).map(({ ref }) => ref);
}

function okapi(tools) {
  const documents = tools.map(documentOf).map((one) =>
    FIELDS.map((field) => one[field])
      .join(' ')
      .toLowerCase(),
  );
  return (query) => {
    const scores = BM25(documents, splitIdentifier(query), { k1: 1.3, b: 0.9 });
    return ranked(tools, scores);
  };
}

/** Twelve points for a name, eight within one, five for the description, three for argument names. */
function scan(tools) {
  const documents = tools.map((one) => ({
    name: one.id.toLowerCase(),
    description: one.description.toLowerCase(),
    arguments: Object.keys(one.arguments).join(' ').toLowerCase(),
  }));
  const points = (term, one) =>
    (one.name === term ? 12 : one.name.includes(term) ? 8 : 0) +
    (one.description.includes(term) ? 5 : 0) +
    (one.arguments.includes(term) ? 3 : 0);
  return (query) => {
    const terms = query
      .toLowerCase()
      .split(/\s+/)
      .filter((term) => term.length >= 3);
    const scores = documents.map((one) => terms.reduce((sum, term) => sum + points(term, one), 0));
    return ranked(tools, scores);
  };
}

function ranked(tools, scores) {
  return scores
    .map((score, at) => ({ score, id: tools[at].id }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

const BUILDERS = {
  '@holdfast/tool-registry': holdfast,
  MiniSearch: miniSearch,
  Orama: orama,
  FlexSearch: flexSearch,
  lunr: lunrIndex,
  okapibm25: okapi,
  'a scan for parts of words': scan,
};

/** The share of needs met within the first `count`, in percent. */
function recall(search, count) {
  const asked = judgedQueries.filter(({ needs }) => needs.length > 0);
  const shares = asked.map(({ query, needs }) => {
    const top = search(query).slice(0, count);
    return needs.filter((need) => need.some((name) => top.includes(name))).length / needs.length;
  });
  return ((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length).toFixed(1).padStart(6);
}

/** The median over the queries of the best of three, in microseconds. */
function medianQuery(search, queries) {
  const best = queries.map((query) => {
    const times = [0, 1, 2].map(() => {
      const start = performance.now();
      search(query);
      return performance.now() - start;
    });
    return Math.min(...times);
  });
  return 1_000 * median(best);
}

async function heapOf(build, tools) {
  // What was measured before is only let go once this turn of the event loop is over.
  await new Promise((resolve) => setTimeout(resolve, 100));
  globalThis.gc();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const search = build(tools);
  search('read a file');
  globalThis.gc();
  const megabytes = (process.memoryUsage().heapUsed - before) / 1e6;
  search('read a file');
  return megabytes;
}

for (const size of [100, 1_000, 10_000]) {
  const tools = toolsFor(size);
  const large = size === 10_000;
  const few = large ? { rounds: 3, warmUps: 1, roundMs: 1 } : { rounds: 5, warmUps: 1, roundMs: 20 };
  const builds = Object.entries({ ...BUILDERS, '@holdfast/tool-registry': holdfastIndex, register: holdfast });
  const timed = builds.map(([name, build]) => [name, () => build(tools)]);
  await compare(
    `build at ${size} tools, the index alone, and register with its schemas`,
    Object.fromEntries(timed),
    few,
  );

  const searches = Object.entries(BUILDERS).map(([name, build]) => [name, build(tools)]);
  const queries = judgedQueries.map(({ query }) => query).filter((_, at) => at % (large ? 5 : 1) === 0);
  const runs = searches.map(([name, search]) => {
    return [name, { run: () => queries.map((query) => search(query)), calls: queries.length }];
  });
  await compare(`query at ${size} tools, mean`, Object.fromEntries(runs), few);

  console.log(`query at ${size} tools, median of ${queries.length}, and recall of the judged queries`);
  const medians = searches.map(([name, search]) => [name, search, medianQuery(search, queries)]);
  for (const [name, search, micros] of medians) {
    const ratio = (micros / medians[0][2]).toPrecision(3).padStart(9);
    const found = `R@1 ${recall(search, 1)}  R@5 ${recall(search, 5)}`;
    console.log(`  ${name.padEnd(34)} ${ratio}   ${micros.toPrecision(4).padStart(9)} µs   ${found}`);
  }
}

const variants = variantsFor(10_000);
await compare(
  'build at 10,000 variants of the judged tools, the index alone, and register with its schemas',
  {
    '@holdfast/tool-registry': () => holdfastIndex(variants),
    MiniSearch: () => miniSearch(variants),
    register: () => holdfast(variants),
  },
  { rounds: 5, warmUps: 1, roundMs: 1 },
);

const asked = judgedQueries.map(({ query }) => query).filter((_, at) => at % 5 === 0);
console.log(`query at 10,000 variants of the judged tools, median of ${asked.length}`);
for (const name of ['@holdfast/tool-registry', 'MiniSearch']) {
  const search = BUILDERS[name](variants);
  const hits = median(asked.map((query) => search(query).length));
  const micros = medianQuery(search, asked);
  console.log(`  ${name.padEnd(34)} ${micros.toPrecision(4).padStart(9)} µs   ${hits} tools found`);
}

if (globalThis.gc) {
  const heap = async (tools) => (await heapOf(holdfast, tools)).toFixed(1);
  console.log(`heap at 10,000 tools, definitions included: ${await heap(toolsFor(10_000))} MB`);
  console.log(`heap at 10,000 variants of the judged tools: ${await heap(variantsFor(10_000))} MB`);
}
