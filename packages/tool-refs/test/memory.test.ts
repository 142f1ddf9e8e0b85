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

  it('differs from the accounted characters by less than a fifth after clipping and eviction', () => {
    let accounted = 0;
    const held = bytesHeld(() => {
      const registry = new ToolOutputReferenceRegistry({ maxOutputSize: 2 * size, maxTotalSize: 5_000_000 });
      for (let turn = 0; turn < 400; turn++) {
        // One is cut, one fits, and many small ones are stored and soon dropped.
        registry.beginBatch('r').settle(0, output(turn).repeat(4));
        registry.beginBatch('r').settle(0, output(turn));
        for (let index = 1; index < 5; index++) registry.set('r', `tool${index}turn${2 * turn}`, String(index));
      }
      for (const [, kept] of registry.snapshotState().runs[0]?.outputs ?? []) accounted += kept.length;
      return registry;
    });
    expect(accounted).toBeGreaterThan(4_500_000);
    expect(Math.abs(held / accounted - 1)).toBeLessThan(0.2);
  });

  it('of an output is not more after its values were read', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', 'tool0turn0', JSON.stringify(Array.from({ length: 90_000 }, (_, id) => [id % 10])));
    const read = (id: number) => registry.resolve('r', [`{{tool0turn0#/${id}/0}}`]).resolved[0] as unknown;
    read(0);
    const held = bytesHeld(() => {
      for (let id = 0; id < 20; id++) expect(read(id)).toBe(id % 10);
      return registry;
    });
    expect(held).toBeLessThan(2_000_000);
  });

  it('of a text is not held by its preview', () => {
    const held = bytesHeld(() => Array.from({ length: 500 }, (_, seed) => previewOutput(output(seed), 400)));
    expect(held).toBeLessThan(500 * 400 + slack);
  });
});
