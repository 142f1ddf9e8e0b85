import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { previewOutput, ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const size = 50_000;

/** An output of its own, so that what is measured is held by the registry and not shared. */
function output(seed: number): string {
  return JSON.parse(JSON.stringify(String(seed).padEnd(size, 'x'))) as string;
}

/** Bytes that are still held after `run`, with what it returns kept alive. One character is one byte here. */
function bytesHeld(run: () => unknown): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const kept = run();
  collectGarbage();
  const held = process.memoryUsage().heapUsed - before;
  expect(kept).toBeDefined();
  return held;
}

/** Room for what else is alive: far above the noise, far below what the outputs of one test would take. */
const slack = 10_000_000;

describe('memory', () => {
  it('of released runs is given back while other runs go on', () => {
    const held = bytesHeld(() => {
      const registry = new ToolOutputReferenceRegistry();
      for (let run = 0; run < 2_000; run++) {
        registry.set(`run ${run}`, 'tool0turn0', output(run));
        registry.releaseRun(`run ${run - 8}`);
      }
      expect(registry.size).toBe(8);
      return registry;
    });
    expect(held).toBeLessThan(8 * size + slack);
  });

  it('of replaced outputs is given back', () => {
    const held = bytesHeld(() => {
      const registry = new ToolOutputReferenceRegistry();
      for (let count = 0; count < 2_000; count++) registry.set('r', `tool${count % 3}turn0`, output(count));
      return registry;
    });
    expect(held).toBeLessThan(3 * size + slack);
  });

  it('of dropped runs and outputs is given back', () => {
    const held = bytesHeld(() => {
      const registry = new ToolOutputReferenceRegistry({ maxActiveRuns: 3, maxEntries: 3 });
      for (let count = 0; count < 2_000; count++) registry.set(`run ${count >> 3}`, `tool0turn${count}`, output(count));
      expect(registry.size).toBe(9);
      return registry;
    });
    expect(held).toBeLessThan(9 * size + slack);
  });

  it('of a text is not held by its preview', () => {
    const held = bytesHeld(() => Array.from({ length: 500 }, (_, seed) => previewOutput(output(seed), 400)));
    expect(held).toBeLessThan(500 * 400 + slack);
  });
});
