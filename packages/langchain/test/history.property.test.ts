import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settledOccurrences, turnOf } from '../src/internal/history.js';
import { advanceLedger, type RunLedger } from '../src/internal/ledger.js';
import { withRecord } from '../src/internal/metadata.js';

const run = { numRuns: 500 };

/** A run as the middleware lives it: replies with calls, some of which leave an output, and summaries in between. */
const events = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('reply' as const),
        outputs: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), keep: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('words' as const) }) },
  ),
  { maxLength: 15 },
);

let ids = 0;

function answer(id: string, record: Record<string, unknown>): ToolMessage {
  return new ToolMessage({ content: '', tool_call_id: id, response_metadata: withRecord({}, record) });
}

describe('a run’s turns', () => {
  it('rise with every reply that calls tools, whatever is forgotten in between, so that no key comes twice', () => {
    fc.assert(
      fc.property(events, (list) => {
        let messages: BaseMessage[] = [];
        let ledger: RunLedger | undefined;
        const turns: number[] = [];
        for (const event of list) {
          if (event.kind === 'forget') messages = messages.slice(messages.length - event.keep);
          if (event.kind === 'forget') continue;
          const outputs = event.kind === 'reply' ? event.outputs : [];
          const calls = outputs.map(() => ({ id: `c${ids++}`, name: 't', args: {}, type: 'tool_call' as const }));
          const reply = new AIMessage({ content: '', tool_calls: calls });
          ledger = advanceLedger([...messages, reply], ledger);
          if (calls.length > 0) turns.push(turnOf(messages, ledger));
          const turn = turns.at(-1);
          const results = calls.map(({ id }, index) =>
            answer(id, outputs[index] ? { scope: 'a', ref: `tool${index}turn${turn}`, output: 'x' } : {}),
          );
          messages = [...messages, reply, ...results];
        }
        expect(turns).toEqual([...new Set(turns)].sort((a, b) => a - b));
      }),
      run,
    );
  });

  it('rise without a ledger as long as the messages are kept', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (outputs) => {
        const messages: BaseMessage[] = [];
        const keys: string[] = [];
        for (const output of outputs) {
          const key = `tool0turn${turnOf(messages, undefined)}`;
          if (output) keys.push(key);
          messages.push(answer(`c${ids++}`, output ? { scope: 'a', ref: key, output: 'x' } : {}));
        }
        expect(new Set(keys).size).toBe(keys.length);
      }),
      run,
    );
  });
});

describe('settled calls', () => {
  const entry = fc.record({
    run: fc.constantFrom('a', 'b'),
    toolName: fc.constantFrom('t', '1:t', '__proto__'),
    argsHash: fc.constantFrom('h', 't', '1'),
    occurrence: fc.nat(3),
  });

  it('are the same from the messages, from the ledger, and from any part of both', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 10 }), entry, fc.nat(10), (entries, wanted, split) => {
        const messages = entries.map(({ run: runId, ...settled }) => answer(`c${ids++}`, { run: runId, settled }));
        const content = { runId: wanted.run, toolName: wanted.toolName, argsHash: wanted.argsHash };
        const expected = new Set(
          entries
            .filter(
              (each) =>
                each.run === wanted.run && each.toolName === wanted.toolName && each.argsHash === wanted.argsHash,
            )
            .map((each) => each.occurrence),
        );
        const ledger = advanceLedger(messages.slice(0, split), undefined);
        expect(settledOccurrences(messages, content, undefined)).toEqual(expected);
        expect(settledOccurrences(messages.slice(split), content, ledger)).toEqual(expected);
        expect(settledOccurrences([], content, advanceLedger(messages, ledger))).toEqual(expected);
      }),
      run,
    );
  });

  it('are remembered without their messages for the 1,000 contents that were used last', () => {
    const used = (n: number) => answer('c', { run: 'r', settled: { toolName: 't', argsHash: `h${n}`, occurrence: 0 } });
    let ledger: RunLedger | undefined;
    for (let n = 0; n < 1_200; n += 100) {
      ledger = advanceLedger([used(0), ...Array.from({ length: 100 }, (_, k) => used(n + k))], ledger);
    }
    const known = (n: number) =>
      settledOccurrences([], { runId: 'r', toolName: 't', argsHash: `h${n}` }, ledger).has(0);
    expect(Object.keys(ledger?.settled ?? {})).toHaveLength(1_000);
    expect([0, 1, 200, 201, 1_199].map(known)).toEqual([true, false, false, true, true]);
  });
});
