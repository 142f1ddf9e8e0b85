import {
  hmacSha256Digest,
  type ToolCallReceiptKey,
  toolCallIdempotencyKey,
  toolCallReceiptKeyString,
} from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';

const KEY: ToolCallReceiptKey = { tenantId: 'tenant', runId: 'run', toolName: 'send', argsHash: 'hash' };

describe('toolCallIdempotencyKey', () => {
  it('is a stored format', async () => {
    expect(await toolCallIdempotencyKey(KEY)).toBe(
      'v1.s256.e6402dc72a7de9539ff1b22de0b82ca976edf352f308b74c218f50734a856778',
    );
  });

  it('digests a text that no arguments have', async () => {
    const echo = async (text: string) => text;
    expect(await toolCallIdempotencyKey(KEY, echo)).toBe(
      JSON.stringify(['holdfast.idempotency.1', toolCallReceiptKeyString(KEY)]),
    );
  });

  it('differs with each part, and takes any text', async () => {
    const others = (['tenantId', 'runId', 'toolName', 'argsHash'] as const).flatMap((part) => [
      { ...KEY, [part]: 'other' },
      { ...KEY, [part]: '\ud800' },
      { ...KEY, [part]: '\ufffd' },
    ]);
    const keys = await Promise.all([KEY, ...others].map((key) => toolCallIdempotencyKey(key)));
    expect(new Set(keys).size).toBe(keys.length);
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(255);
  });

  it('hides its parts under a keyed digest', async () => {
    const digest = hmacSha256Digest('a secret of sixteen bytes or more');
    expect(await toolCallIdempotencyKey(KEY, digest)).toMatch(/^v1\.h256\.1\.[0-9a-f]{64}$/);
  });

  it('refuses a digest that gives nothing', async () => {
    await expect(toolCallIdempotencyKey(KEY, async () => '')).rejects.toMatchObject({ code: 'ERR_HOLDFAST_DIGEST' });
  });
});
