import { ToolOutputReferenceRegistry, type ToolOutputRegistryState } from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';

/** Two runs, one that ended, and one that is not remembered: later runs begin above its turns. */
function filled() {
  const registry = new ToolOutputReferenceRegistry({ maxEndedRuns: 1 });
  for (const [runId, turns] of [
    ['forgotten', 7],
    ['ended', 3],
    ['a', 2],
    ['b', 1],
  ] as const) {
    for (let turn = 0; turn < turns; turn++) registry.beginBatch(runId).settle(0, `${runId} ${turn} \uD83D "😀"`);
    if (turns > 2) registry.releaseRun(runId);
  }
  return registry;
}

/** The state as it comes back from wherever it was stored. */
function stored(state: ToolOutputRegistryState): ToolOutputRegistryState {
  return JSON.parse(JSON.stringify(state)) as ToolOutputRegistryState;
}

describe('the state of a registry', () => {
  it('is plain data of a fixed form', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.beginBatch('a').settle(0, 'one');
    registry.beginBatch('b', { turn: 4 }).settle(1, 'two');
    registry.set(undefined, 'tool0turn0', 'anonymous');
    registry.nextTurn('c');
    registry.releaseRun('c');
    expect(registry.snapshotState()).toEqual({
      version: 1,
      runs: [
        { runId: 'a', nextTurn: 1, lastCountedTurn: 0, outputs: [['tool0turn0', 'one']] },
        { runId: 'b', nextTurn: 5, lastCountedTurn: -1, outputs: [['tool1turn4', 'two']] },
      ],
      ended: [{ runId: 'c', nextTurn: 1, lastCountedTurn: 0 }],
      highWater: 0,
    });
    expect(registry.snapshotState(['b', 'c', 'x'])).toMatchObject({
      runs: [{ runId: 'b' }],
      ended: [{ runId: 'c' }],
    });
    expect(registry.snapshotState([])).toMatchObject({ runs: [], ended: [] });
  });

  it('goes into a new registry whole, and turns go on', () => {
    const state = stored(filled().snapshotState());
    const restored = new ToolOutputReferenceRegistry({ maxEndedRuns: 1 });
    restored.restoreState(state);
    expect(restored.snapshotState()).toEqual(state);
    expect(restored.resolve('a', '{{tool0turn8}}').resolved).toBe('a 1 \uD83D "😀"');
    expect(['a', 'b', 'ended', 'forgotten', 'new'].map((runId) => restored.nextTurn(runId))).toEqual([9, 8, 3, 7, 7]);
  });

  it('does not change what it was taken from, nor with it', () => {
    const registry = filled();
    const state = registry.snapshotState();
    const before = JSON.stringify(state);
    registry.nextTurn('a');
    registry.set('a', 'tool9turn0', 'later');
    expect(JSON.stringify(state)).toBe(before);
    const restored = new ToolOutputReferenceRegistry();
    restored.restoreState(state);
    restored.nextTurn('a');
    expect(JSON.stringify(state)).toBe(before);
  });

  it('replaces the outputs of its runs and leaves other runs', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.beginBatch('a').settle(0, 'first');
    const state = registry.snapshotState();
    const open = registry.beginBatch('a');
    registry.set('a', 'tool0turn0', 'replaced');
    registry.set('b', 'tool0turn0', 'other');
    registry.restoreState(state);
    expect([registry.get('a', 'tool0turn0'), registry.get('b', 'tool0turn0')]).toEqual(['first', 'other']);
    expect(registry.nextTurn('a')).toBe(2);
    expect(open.settle(0, 'late').key).toBe('tool0turn1');
    expect(registry.get('a', 'tool0turn1')).toBe('late');
  });

  it('brings no forgotten turn back', () => {
    const registry = new ToolOutputReferenceRegistry({ maxEndedRuns: 1 });
    registry.nextTurn('a');
    const state = registry.snapshotState();
    for (let turn = 0; turn < 5; turn++) registry.nextTurn('a');
    registry.releaseRun('a');
    registry.nextTurn('b');
    registry.releaseRun('b'); // 'a' is not remembered from here on
    registry.restoreState(state);
    expect(registry.nextTurn('a')).toBe(6);
  });

  it('makes no turn free that was counted since it was taken', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.nextTurn('r');
    const state = registry.snapshotState();
    registry.nextTurn('r');
    registry.restoreState(state);
    expect(() => registry.beginBatch('r', { turn: 1 })).toThrow(/turn above 1/);
  });

  it('is held to the limits of the registry that takes it', () => {
    const events: unknown[] = [];
    const registry = new ToolOutputReferenceRegistry({
      maxOutputSize: 4,
      maxTotalSize: 6,
      maxEntries: 2,
      maxActiveRuns: 2,
      maxEndedRuns: 1,
      onClip: (event) => events.push(['clip', event.runId, event.key]),
      onEvict: (event) => events.push([event.reason, event.runId, ...event.keys]),
    });
    const run = (runId: string, ...outputs: string[]) => ({
      runId,
      nextTurn: 0,
      lastCountedTurn: -1,
      outputs: outputs.map((output, turn) => [`tool0turn${turn}`, output] as const),
    });
    registry.restoreState({
      version: 1,
      runs: [run('a', 'x'), run('b', 'abc😀'), run('c', '1', '2', '3')],
      ended: [
        { runId: 'd', nextTurn: 9, lastCountedTurn: 8 },
        { runId: 'e', nextTurn: 2, lastCountedTurn: -1 },
      ],
      highWater: 1,
    });
    expect(events).toEqual([
      ['clip', 'b', 'tool0turn0'],
      ['runs', 'a', 'tool0turn0'],
      ['entries', 'c', 'tool0turn0'],
    ]);
    expect([registry.get('b', 'tool0turn0'), registry.get('c', 'tool0turn2'), registry.size]).toEqual(['abc', '3', 3]);
    // An output under a turn is a use of it, whatever the state says of the run.
    expect([registry.nextTurn('c'), registry.nextTurn('x')]).toEqual([3, 9]);
  });
});

describe('a state that is not one', () => {
  const good = filled().snapshotState();
  const run = { runId: 'x', nextTurn: 2, lastCountedTurn: 1, outputs: [] };

  it.each([
    ['state', undefined],
    ['state', null],
    ['state', 'text'],
    ['state', Object.create(good)],
    ['state.version', {}],
    ['state.version', { ...good, version: 2 }],
    ['state.version', JSON.parse('{"__proto__":{"version":1}}')],
    ['state.runs', { ...good, runs: {} }],
    ['state.ended', { version: 1, runs: [], highWater: 0 }],
    ['state.highWater', { ...good, highWater: -1 }],
    ['state.highWater', { ...good, highWater: '7' }],
    ['state.runs[0]', { ...good, runs: ['a'] }],
    ['state.runs[0].runId', { ...good, runs: [{ ...run, runId: 7 }] }],
    ['state.runs[1].runId', { ...good, runs: [run, run] }],
    ['state.ended[0].runId', { ...good, runs: [run], ended: [run] }],
    ['state.runs[0].nextTurn', { ...good, runs: [{ ...run, nextTurn: 1.5 }] }],
    ['state.runs[0].nextTurn', { ...good, runs: [{ ...run, nextTurn: 1e16 }] }],
    ['state.runs[0].lastCountedTurn', { ...good, runs: [{ ...run, lastCountedTurn: 2 }] }],
    ['state.runs[0].lastCountedTurn', { ...good, runs: [{ ...run, lastCountedTurn: -2 }] }],
    ['state.runs[0].outputs', { ...good, runs: [{ ...run, outputs: 'none' }] }],
    ['state.runs[0].outputs[0]', { ...good, runs: [{ ...run, outputs: ['ab'] }] }],
    ['state.runs[0].outputs[0]', { ...good, runs: [{ ...run, outputs: [['k', 7]] }] }],
    ['state.runs[0].outputs[0]', { ...good, runs: [{ ...run, outputs: [['k', 'v', 'w']] }] }],
    [
      'state.runs[0].outputs[1]',
      {
        ...good,
        runs: [
          {
            ...run,
            outputs: [
              ['k', 'v'],
              ['k', 'w'],
            ],
          },
        ],
      },
    ],
    // biome-ignore lint/suspicious/noSparseArray: what a hole holds must not be taken for a run.
    ['state.runs[0]', { ...good, runs: [, run] }],
  ])('is refused at %s, and changes nothing', (argument, state) => {
    const registry = filled();
    const before = JSON.stringify(registry.snapshotState());
    expect(() => registry.restoreState(state as ToolOutputRegistryState)).toThrow(
      expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', argument }),
    );
    expect(JSON.stringify(registry.snapshotState())).toBe(before);
  });
});
