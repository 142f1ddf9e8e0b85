/**
 * Annotating 80 outputs of 47 KB on each of 20 requests, against parsing and serialising them anew each time, which is
 * what a host would write; and what a registry holds in memory against what it accounts for.
 *
 *     pnpm build && node --expose-gc bench/annotate.bench.mjs
 */

import { annotateMessagesForLLM, ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { annotateChatMessages } from '@holdfast/tool-refs/openai';
import { ToolMessage } from '@langchain/core/messages';
import { compare } from '../../../scripts/bench.mjs';

const quick = process.argv.includes('--quick') ? { rounds: 3, warmUps: 1, roundMs: 15 } : { rounds: 9, roundMs: 60 };
const registry = new ToolOutputReferenceRegistry({ maxTotalSize: 5_000_000, maxEntries: 100 });
const outputs = Array.from({ length: 80 }, (_, turn) =>
  JSON.stringify({
    rows: Array.from({ length: 580 }, (_, id) => ({
      id,
      turn,
      name: `person ${id}`,
      email: `p${id}@example.com`,
      note: 'none',
    })),
  }),
);
const keys = outputs.map((output) => registry.beginBatch('r').settle(0, output).key);
console.log(`${outputs.length} outputs of ${Math.round(outputs[0].length / 1_000)} KB, on 20 requests`);

const messages = outputs.map(
  (content, at) => new ToolMessage({ content, tool_call_id: `c${at}`, additional_kwargs: { _refKey: keys[at] } }),
);
const plain = outputs.map((content, at) => ({ role: 'tool', tool_call_id: `c${at}`, content, _refKey: keys[at] }));

/** Twenty requests of one conversation: the first finds messages that were never annotated. */
function twentyRequests(annotate, history) {
  const fresh = history.map((message) =>
    Object.create(Object.getPrototypeOf(message), Object.getOwnPropertyDescriptors(message)),
  );
  let shown;
  for (let request = 0; request < 20; request++) shown = annotate(fresh);
  return shown;
}

function reserialise(history) {
  return history.map((message, at) => ({
    ...message,
    content: JSON.stringify({ _ref: keys[at], ...JSON.parse(message.content) }),
  }));
}

await compare(
  '20 requests of one conversation, the first included',
  {
    'parse and serialise each time': () => twentyRequests(reserialise, plain),
    'LangChain messages': () => twentyRequests((history) => annotateMessagesForLLM(history, registry, 'r'), messages),
    'plain messages': () => twentyRequests((history) => annotateChatMessages(history, registry, 'r'), plain),
  },
  quick,
);
await compare(
  'one further request',
  {
    'parse and serialise each time': () => reserialise(plain),
    'LangChain messages': () => annotateMessagesForLLM(messages, registry, 'r'),
    'plain messages': () => annotateChatMessages(plain, registry, 'r'),
  },
  quick,
);

/** One character of these is one byte. A host that keeps no output itself leaves the registry as its only holder. */
function held(title, fill) {
  const before = heapUsed();
  const { registry: filled, runs } = fill();
  const bytes = heapUsed() - before;
  const characters = runs.reduce((sum, run) => sum + accounted(filled, run), 0);
  console.log(
    `  ${title.padEnd(44)} ${characters} characters accounted, ${bytes} bytes held: ${((bytes / characters - 1) * 100).toFixed(1)} % more`,
  );
  return filled;
}

function heapUsed() {
  for (let turn = 0; turn < 4; turn++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function accounted(filled, runId) {
  const [run] = filled.snapshotState([runId]).runs;
  return run.outputs.reduce((sum, [, output]) => sum + output.length, 0);
}

function text(seed, size) {
  return JSON.parse(JSON.stringify(String(seed).padEnd(size, 'x')));
}

console.log('memory');
held('400 outputs of 2 MB, cut to 400 KB', () => {
  const one = new ToolOutputReferenceRegistry({ maxTotalSize: 5_000_000 });
  for (let turn = 0; turn < 400; turn++) one.beginBatch('r').settle(0, text(turn, 2_000_000));
  return { registry: one, runs: ['r'] };
});
held('20,000 outputs of 2 KB in 100 runs', () => {
  const one = new ToolOutputReferenceRegistry();
  const runs = Array.from({ length: 100 }, (_, run) => `run ${run}`);
  for (const run of runs) for (let turn = 0; turn < 200; turn++) one.beginBatch(run).settle(0, text(turn, 2_000));
  return { registry: one, runs: runs.slice(-32) };
});
