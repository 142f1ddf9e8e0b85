import {
  type ToolOutputClip,
  type ToolOutputEviction,
  ToolOutputReferenceRegistry,
  type ToolOutputReferenceRegistryOptions,
} from '@holdfast/tool-refs';
import { describe, expect, it } from 'vitest';

const k = 'tool0turn0';

function watched(options: ToolOutputReferenceRegistryOptions) {
  const clips: ToolOutputClip[] = [];
  const evictions: ToolOutputEviction[] = [];
  const registry = new ToolOutputReferenceRegistry({
    ...options,
    onClip: (event) => clips.push(event),
    onEvict: (event) => evictions.push(event),
  });
  return { registry, clips, evictions };
}

describe('stored outputs', () => {
  it('are kept raw, by run and key', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', k, ' {"a": 1.0}\n');
    registry.set('s', k, 'other');
    expect(registry.get('r', k)).toBe(' {"a": 1.0}\n');
    expect(registry.get('s', k)).toBe('other');
    expect(registry.get('r', 'tool1turn0')).toBeUndefined();
    expect([registry.has('r', k), registry.has('r', 'tool1turn0'), registry.has('t', k)]).toEqual([true, false, false]);
    expect(registry.size).toBe(2);
    expect(registry.resolve('t', '{{tool0turn0}}').unresolved).toEqual([k]);
  });

  it('can be empty', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', k, '');
    expect([registry.has('r', k), registry.get('r', k), registry.size]).toEqual([true, '', 1]);
  });

  it('are replaced under the same key, and counted once', () => {
    const { registry, evictions } = watched({ maxTotalSize: 10 });
    registry.set('r', 'tool1turn0', 'abc');
    registry.set('r', k, 'previous');
    expect(registry.has('r', 'tool1turn0')).toBe(false);
    registry.set('r', 'tool1turn0', 'ab');
    registry.set('r', k, 'post');
    registry.set('r', 'tool2turn0', 'abcd');
    expect(registry.resolve('r', '{{tool0turn0}}').resolved).toBe('post');
    expect(registry.size).toBe(3);
    expect(evictions.map(({ keys }) => keys[0])).toEqual(['tool1turn0']);
  });

  it('have any key that the host likes, without the prototype of an object', () => {
    const registry = new ToolOutputReferenceRegistry();
    expect(registry.get('__proto__', 'constructor')).toBeUndefined();
    registry.set('__proto__', '__proto__', 'v');
    expect([registry.get('__proto__', '__proto__'), registry.size]).toEqual(['v', 1]);
    expect(registry.has('r', 'toString')).toBe(false);
  });

  it('must be strings', () => {
    const registry = new ToolOutputReferenceRegistry();
    const set = () => registry.set('r', k, { a: 1 } as unknown as string);
    expect(set).toThrow(
      expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', argument: 'value', received: { a: 1 } }),
    );
    expect(registry.size).toBe(0);
  });
});

describe('limits', () => {
  it('have defaults', () => {
    const { perOutputLimit, totalLimit } = new ToolOutputReferenceRegistry();
    expect([perOutputLimit, totalLimit]).toEqual([400_000, 800_000]);
  });

  it.each([
    [{ maxOutputSize: 10 }, 10, 20],
    [{ maxOutputSize: 3_000_000 }, 3_000_000, 5_000_000],
    [{ maxOutputSize: 9_000_000 }, 5_000_000, 5_000_000],
    [{ maxTotalSize: 9_000_000 }, 400_000, 5_000_000],
    [{ maxTotalSize: 100 }, 100, 100],
  ])('of %o are %i per output and %i per run', (options, output, total) => {
    const { perOutputLimit, totalLimit } = new ToolOutputReferenceRegistry(options);
    expect([perOutputLimit, totalLimit]).toEqual([output, total]);
  });

  it.each(['maxOutputSize', 'maxTotalSize', 'maxActiveRuns', 'maxEntries', 'maxResolvedSize', 'maxEndedRuns'])(
    'of %s must be whole numbers above 0',
    (argument) => {
      for (const received of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', null]) {
        expect(() => new ToolOutputReferenceRegistry({ [argument]: received })).toThrow(
          expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REFERENCE_ARGUMENT', argument, received }),
        );
      }
    },
  );

  it('cut a long output, never inside a character, and say so', () => {
    const { registry, clips } = watched({ maxOutputSize: 5, maxTotalSize: 100 });
    registry.set('r', k, 'abcde');
    registry.set('r', 'tool1turn0', 'abcdefgh');
    registry.set('r', 'tool2turn0', 'abcd😀fgh');
    registry.set('r', 'tool3turn0', 'abc😀fgh');
    expect([0, 1, 2, 3].map((i) => registry.get('r', `tool${i}turn0`))).toEqual(['abcde', 'abcde', 'abcd', 'abc😀']);
    expect(clips.map(({ key, length, kept }) => [key, length, kept])).toEqual([
      ['tool1turn0', 8, 5],
      ['tool2turn0', 9, 4],
      ['tool3turn0', 8, 5],
    ]);
  });

  it('drop the oldest outputs of the run, and say so', () => {
    const { registry, evictions } = watched({ maxTotalSize: 10 });
    registry.set('other', k, 'untouched!');
    for (let turn = 0; turn < 4; turn++) registry.set('r', `tool0turn${turn}`, 'abcd');
    registry.set('r', 'tool0turn4', 'abcdefgh');
    expect([0, 1, 2, 3, 4].map((turn) => registry.has('r', `tool0turn${turn}`))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(evictions).toEqual(
      [0, 1, 2, 3].map((turn) => ({ runId: 'r', reason: 'characters', keys: [`tool0turn${turn}`], characters: 4 })),
    );
    expect(registry.get('other', k)).toBe('untouched!');
  });

  it('bound the number of outputs per run', () => {
    const { registry, evictions } = watched({ maxEntries: 2 });
    for (let turn = 0; turn < 3; turn++) registry.set('r', `tool0turn${turn}`, '');
    expect(registry.size).toBe(2);
    expect(evictions).toEqual([{ runId: 'r', reason: 'entries', keys: [k], characters: 0 }]);
    const byDefault = new ToolOutputReferenceRegistry();
    for (let turn = 0; turn < 1_001; turn++) byDefault.set('r', `tool0turn${turn}`, '');
    expect([byDefault.size, byDefault.has('r', k)]).toEqual([1_000, false]);
  });

  it('and handlers are read when the registry is made', () => {
    const options: ToolOutputReferenceRegistryOptions = { maxOutputSize: 1 };
    const registry = new ToolOutputReferenceRegistry(options);
    options.maxOutputSize = 5;
    options.onClip = () => expect.unreachable();
    registry.set('r', k, 'abc');
    expect(registry.get('r', k)).toBe('a');
  });

  it('are kept before a handler is called, whatever the handler does', () => {
    const registry = new ToolOutputReferenceRegistry({
      maxEntries: 1,
      onEvict: () => {
        throw new Error('handler');
      },
    });
    registry.set('r', k, 'a');
    expect(() => registry.set('r', 'tool1turn0', 'b')).toThrow('handler');
    expect([registry.size, registry.get('r', 'tool1turn0')]).toEqual([1, 'b']);
  });

  it('are told of in order, each once, also when a handler stores or throws', () => {
    const seen: string[] = [];
    const registry = new ToolOutputReferenceRegistry({
      maxEntries: 1,
      onEvict: ({ keys: [key = ''] }) => {
        seen.push(key);
        if (key === 'tool0turn0') registry.set('r', 'tool2turn0', '');
        if (key === 'tool1turn0') throw new Error('handler');
      },
    });
    registry.set('r', 'tool0turn0', '');
    expect(() => registry.set('r', 'tool1turn0', '')).toThrow('handler');
    registry.set('r', 'tool3turn0', '');
    expect(seen).toEqual(['tool0turn0', 'tool1turn0', 'tool2turn0']);
  });
});

describe('runs', () => {
  it('go in the order in which they came', () => {
    const { registry, evictions } = watched({ maxActiveRuns: 2 });
    for (const run of ['r1', 'r2', 'r3']) registry.set(run, k, run);
    expect([registry.has('r1', k), registry.has('r2', k), registry.has('r3', k)]).toEqual([false, true, true]);
    expect(evictions).toEqual([{ runId: 'r1', reason: 'runs', keys: [k], characters: 2 }]);
    registry.releaseRun('r2');
    expect([registry.size, registry.has('r2', k)]).toEqual([1, false]);
    registry.releaseRun('r2');
    registry.releaseRun('unknown');
    expect(registry.size).toBe(1);
  });

  it('are told of as soon as they go, whichever step makes room', () => {
    for (const step of [
      (registry: ToolOutputReferenceRegistry) => registry.set('new', k, ''),
      (registry: ToolOutputReferenceRegistry) => registry.nextTurn('new'),
      (registry: ToolOutputReferenceRegistry) => registry.beginBatch('new'),
      (registry: ToolOutputReferenceRegistry) => registry.claimWarnOnce('new', 'tool'),
    ]) {
      const { registry, evictions } = watched({ maxActiveRuns: 1 });
      registry.set('old', k, 'v');
      step(registry);
      expect(evictions).toEqual([{ runId: 'old', reason: 'runs', keys: [k], characters: 1 }]);
    }
  });

  it('number 32 by default', () => {
    const registry = new ToolOutputReferenceRegistry();
    for (let run = 0; run < 33; run++) registry.set(`r${run}`, k, '');
    expect([registry.size, registry.has('r0', k), registry.has('r1', k)]).toEqual([32, false, true]);
  });

  it('keep their place by taking turns, not by storing', () => {
    const registry = new ToolOutputReferenceRegistry({ maxActiveRuns: 2 });
    registry.set('active', k, '');
    registry.set('idle', k, '');
    registry.set('idle', 'tool1turn0', '');
    registry.nextTurn('active');
    registry.set('new', k, '');
    expect([registry.has('active', k), registry.has('idle', k)]).toEqual([true, false]);
  });

  it('are not created by asking', () => {
    const { registry, evictions } = watched({ maxActiveRuns: 1 });
    registry.set('r', k, 'v');
    registry.has('other', k);
    registry.get('other', k);
    registry.resolve('other', { a: '{{tool0turn0}}' });
    registry.snapshot('other').resolve('{{tool0turn0}}');
    registry.releaseRun('other');
    expect([registry.size, evictions]).toEqual([1, []]);
    registry.claimWarnOnce('other', 'tool');
    expect(registry.size).toBe(0);
  });

  it('without an id are apart from every id', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set(undefined, k, 'anonymous');
    for (const runId of ['', 'undefined', 'null', '\0anon', '\0']) {
      expect(registry.has(runId, k)).toBe(false);
      registry.set(runId, k, runId);
    }
    expect(registry.get(undefined, k)).toBe('anonymous');
    registry.releaseRun(undefined);
    expect([registry.has(undefined, k), registry.get('', k)]).toEqual([false, '']);
  });

  it('can all be cleared', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', k, 'v');
    registry.set(undefined, k, 'v');
    registry.nextTurn('r');
    registry.clear();
    registry.clear();
    expect([registry.size, registry.has('r', k), registry.nextTurn('r')]).toEqual([0, false, 0]);
    registry.set('r', k, 'again');
    expect([registry.get('r', k), registry.size]).toEqual(['again', 1]);
  });

  it('go in order after a clear, too', () => {
    const { registry, evictions } = watched({ maxActiveRuns: 2 });
    registry.set('before', k, '');
    registry.clear();
    for (const run of ['r1', 'r2', 'r3']) registry.set(run, k, '');
    expect([registry.size, registry.has('r1', k), evictions.map(({ runId }) => runId)]).toEqual([2, false, ['r1']]);
  });
});

describe('nextTurn', () => {
  it('counts per run', () => {
    const registry = new ToolOutputReferenceRegistry();
    expect([registry.nextTurn('r'), registry.nextTurn('r'), registry.nextTurn('s'), registry.nextTurn('r')]).toEqual([
      0, 1, 0, 2,
    ]);
  });

  it('begins the anonymous run anew', () => {
    const registry = new ToolOutputReferenceRegistry();
    expect(registry.nextTurn(undefined)).toBe(0);
    registry.set(undefined, k, 'v');
    expect(registry.resolve(undefined, '{{tool0turn0}}').resolved).toBe('v');
    expect(registry.nextTurn(undefined)).toBe(0);
    expect(registry.has(undefined, k)).toBe(false);
  });

  it('goes on after a release, also when an output arrives late', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.nextTurn('r');
    registry.nextTurn('r');
    registry.releaseRun('r');
    registry.set('r', 'tool0turn1', 'late');
    expect(registry.get('r', 'tool0turn1')).toBe('late');
    expect(registry.nextTurn('r')).toBe(2);
  });

  it('goes on after the run was dropped', () => {
    const registry = new ToolOutputReferenceRegistry({ maxActiveRuns: 1 });
    registry.nextTurn('r');
    registry.nextTurn('s');
    expect(registry.nextTurn('r')).toBe(1);
    expect(registry.nextTurn('s')).toBe(1);
  });

  it('goes on above turns that were only stored under', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', 'tool3turn7', 'v');
    registry.set('r', 'tool0turn2', 'v');
    registry.set('r', 'not a key turn99', 'v');
    expect(registry.nextTurn('r')).toBe(8);
  });

  it('goes on above all forgotten runs when a run is not remembered', () => {
    const registry = new ToolOutputReferenceRegistry({ maxEndedRuns: 1 });
    for (let turn = 0; turn < 5; turn++) registry.nextTurn('long');
    registry.releaseRun('long');
    expect(registry.nextTurn('short')).toBe(0);
    registry.releaseRun('short');
    expect(registry.nextTurn('long')).toBe(5);
    expect(registry.nextTurn('short')).toBe(1);
    expect(registry.nextTurn('unknown')).toBe(5);
    expect(registry.nextTurn(undefined)).toBe(0);
  });
});

describe('what is remembered of ended runs', () => {
  it('takes no place while a run is back', () => {
    const registry = new ToolOutputReferenceRegistry({ maxEndedRuns: 1 });
    registry.nextTurn('a');
    registry.releaseRun('a');
    registry.nextTurn('a');
    registry.nextTurn('b');
    registry.releaseRun('b');
    expect(registry.nextTurn('new')).toBe(0);
  });

  it('leaves out runs without a turn, and anonymous ones', () => {
    const registry = new ToolOutputReferenceRegistry({ maxEndedRuns: 1 });
    registry.nextTurn('a');
    registry.releaseRun('a');
    registry.claimWarnOnce('b', 'tool');
    registry.releaseRun('b');
    registry.nextTurn(undefined);
    registry.releaseRun(undefined);
    expect([registry.nextTurn('new'), registry.nextTurn('a')]).toEqual([0, 1]);
  });

  it('is dropped with everything else', () => {
    const registry = new ToolOutputReferenceRegistry({ maxEndedRuns: 1 });
    for (const run of ['a', 'b']) {
      registry.nextTurn(run);
      registry.releaseRun(run);
    }
    expect(registry.nextTurn('before')).toBe(1);
    registry.clear();
    expect([registry.nextTurn('b'), registry.nextTurn('after')]).toEqual([0, 0]);
  });
});

describe('claimWarnOnce', () => {
  it('is true once per tool and run', () => {
    const registry = new ToolOutputReferenceRegistry();
    const claims = [
      registry.claimWarnOnce('r', 'a'),
      registry.claimWarnOnce('r', 'a'),
      registry.claimWarnOnce('r', 'b'),
      registry.claimWarnOnce('s', 'a'),
      registry.claimWarnOnce(undefined, 'a'),
    ];
    expect(claims).toEqual([true, false, true, true, true]);
    registry.releaseRun('r');
    expect(registry.claimWarnOnce('r', 'a')).toBe(true);
  });

  it('stays quiet after 1,000 names', () => {
    const registry = new ToolOutputReferenceRegistry();
    const claims = Array.from({ length: 1_001 }, (_, name) => registry.claimWarnOnce('r', `tool${name}`));
    expect(claims.indexOf(false)).toBe(1_000);
  });
});

describe('snapshot', () => {
  it('does not see later outputs, replacements or drops', () => {
    const registry = new ToolOutputReferenceRegistry();
    registry.set('r', k, 'before');
    registry.set('r', 'tool0turn99', 'far');
    const view = registry.snapshot('r');
    registry.set('r', k, 'after');
    expect(view.resolve('{{tool0turn99}}').resolved).toBe('far');
    registry.set('r', 'tool1turn0', 'new');
    expect(view.resolve({ a: '{{tool0turn0}} {{tool1turn0}}' })).toEqual({
      resolved: { a: 'before {{tool1turn0}}' },
      unresolved: ['tool1turn0'],
    });
    registry.releaseRun('r');
    registry.clear();
    expect(view.resolve('{{tool0turn0}}').resolved).toBe('before');
  });

  it('of an unknown run is empty for good', () => {
    const registry = new ToolOutputReferenceRegistry();
    const view = registry.snapshot('r');
    registry.set('r', k, 'v');
    expect(view.resolve('{{tool0turn0}}').unresolved).toEqual([k]);
  });
});
