import { parseToolResult } from '@holdfast/flush-loop';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('parseToolResult', () => {
  it.each([
    ['{"ok":true}', { ok: true }],
    ['{"ok":true,"path":"memory/a.md"}', { ok: true, path: 'memory/a.md' }],
    ['{"ok":true,"error":"a warning"}', { ok: true }],
    ['{"ok":false}', { ok: false }],
    ['{"ok":false,"error":"full"}', { ok: false, error: 'full' }],
    ['{"ok":false,"error":"full","path":"a"}', { ok: false, error: 'full', path: 'a' }],
    ['{"ok":false,"error":null}', { ok: false }],
    ['{"ok":false,"error":{"code":28}}', { ok: false, error: '{"code":28}' }],
    ['{"error":"full"}', { ok: false, error: 'full' }],
    ['{"error":""}', { ok: true }],
    ['{"error":null,"path":7}', { ok: true }],
    ['{"error":{"code":1}}', { ok: true }],
    ['{"result":{"error":"nested"}}', { ok: true }],
    ['{"ok":"false"}', { ok: true }],
    ['{"ok":null,"error":"x"}', { ok: true }],
    [' {"ok": false} ', { ok: false }],
    ['[{"ok":false}]', { ok: true }],
    ['{"__proto__":{"ok":false,"error":"x"}}', { ok: true }],
    ['false', { ok: true }],
    ['null', { ok: true }],
    ['', { ok: true }],
    ['Error: disk full', { ok: true }],
    ['{"ok":false', { ok: true }],
  ])('%s', (raw, expected) => {
    expect(parseToolResult(raw)).toEqual(expected);
  });

  it('judges a result whose error is nested deeper than JSON can be written', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(parseToolResult(`{"ok":false,"error":${deep},"path":"a"}`)).toEqual({ ok: false, path: 'a' });
    expect(parseToolResult(`{"error":${deep}}`)).toEqual({ ok: true });
  });

  it('takes any text without JSON as a success, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseToolResult(`~${text}`)).toEqual({ ok: true });
      }),
    );
  });

  it('follows ok, then error, over any JSON object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('ok', 'error', 'path', 'x'), fc.jsonValue()), (value) => {
        const fails =
          'ok' in value ? value['ok'] === false : typeof value['error'] === 'string' && value['error'].length > 0;
        expect(parseToolResult(JSON.stringify(value)).ok).toBe(!fails);
      }),
      { numRuns: 500 },
    );
  });
});
