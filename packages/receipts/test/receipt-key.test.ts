import {
  ReceiptKeyError,
  type ToolCallReceiptKey,
  toolCallArgsHash,
  toolCallReceiptKeyString,
} from '@holdfast/receipts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const key: ToolCallReceiptKey = { tenantId: 'acme', runId: 'run-1', toolName: 'send_email', argsHash: 'h' };

describe('toolCallReceiptKeyString', () => {
  it('writes each part behind its length, tenant first', () => {
    expect(toolCallReceiptKeyString(key)).toBe('4:acme5:run-110:send_email1:h');
    expect(toolCallReceiptKeyString({ tenantId: '', runId: '😀', toolName: '1:', argsHash: '' })).toBe('0:2:😀2:1:0:');
  });
  it('keeps tenants, runs, tools and arguments apart, also for calls without arguments', async () => {
    const none = await toolCallArgsHash({}, async (text) => `hash of ${text}`);
    const some = await toolCallArgsHash({ a: 1 }, async (text) => `hash of ${text}`);
    const base = { tenantId: 'A', runId: '1', toolName: 't1', argsHash: none };
    const keys = [
      base,
      { ...base, tenantId: 'B' },
      { ...base, runId: '2' },
      { ...base, toolName: 't2' },
      { ...base, argsHash: some },
    ];
    expect(new Set(keys.map(toolCallReceiptKeyString)).size).toBe(5);
  });
  it('knows a call again under another provider id, and not under other words', async () => {
    const digest = async (text: string) => `hash of ${text}`;
    const calls = [
      { id: 'call_1', args: { to: 'a@b.c', text: 'Hello' } },
      { id: 'call_9', args: { text: 'Hello', to: 'a@b.c' } },
      { id: 'call_1', args: { to: 'a@b.c', text: 'Hello!' } },
    ];
    const [first, again, reworded] = await Promise.all(
      calls.map(async ({ args }) =>
        toolCallReceiptKeyString({ ...key, argsHash: await toolCallArgsHash(args, digest) }),
      ),
    );
    expect(again).toBe(first);
    expect(reworded).not.toBe(first);
  });
  it.each(['tenantId', 'runId', 'toolName', 'argsHash'] as const)('refuses a key whose %s is not a string', (part) => {
    for (const value of [undefined, null, 7, ['x']]) {
      const broken = { ...key, [part]: value } as unknown as ToolCallReceiptKey;
      expect(() => toolCallReceiptKeyString(broken)).toThrow(ReceiptKeyError);
      expect(() => toolCallReceiptKeyString(broken)).toThrow(
        expect.objectContaining({ code: 'ERR_HOLDFAST_RECEIPT_KEY', part }),
      );
    }
  });
  it('gives different keys different strings', () => {
    const part = fc.string({ unit: fc.constantFrom(':', '0', '1', '2', '10', 'a', '😀', '\ud83d'), maxLength: 5 });
    const parts = fc.tuple(part, part, part, part);
    const text = ([tenantId, runId, toolName, argsHash]: [string, string, string, string]) =>
      toolCallReceiptKeyString({ tenantId, runId, toolName, argsHash });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(text(one) === text(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 5_000 },
    );
  });
  it('gives every split of one text into four parts a string of its own', () => {
    const source = '1:1:10:1:';
    const seen = new Map<string, string>();
    for (let a = 0; a <= source.length; a++) {
      for (let b = a; b <= source.length; b++) {
        for (let c = b; c <= source.length; c++) {
          const cut = {
            tenantId: source.slice(0, a),
            runId: source.slice(a, b),
            toolName: source.slice(b, c),
            argsHash: source.slice(c),
          };
          const text = toolCallReceiptKeyString(cut);
          expect(seen.has(text), text).toBe(false);
          seen.set(text, JSON.stringify(cut));
        }
      }
    }
    expect(seen.size).toBe(220);
  });
});
