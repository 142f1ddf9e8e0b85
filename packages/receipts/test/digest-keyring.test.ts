import {
  DigestError,
  executeOnce,
  type HmacKeyring,
  type HmacKeys,
  hmacKeyIdOf,
  hmacKeyring,
  hmacSha256Digest,
  sha256Digest,
  toolCallArgsHash,
  UnknownHmacKeyError,
  withOccurrence,
} from '@holdfast/receipts';
import { createMemoryReceiptStore } from '@holdfast/receipts/memory';
import { hmacSha256Digest as nodeHmac } from '@holdfast/receipts/node';
import { describe, expect, it } from 'vitest';

const [first, second] = ['the first secret of all', 'the second secret, newer'];
const old: HmacKeys = { current: 'k1', keys: { k1: first } };
const both: HmacKeys = { current: 'k2', keys: { k1: first, k2: second } };
const retired: HmacKeys = { current: 'k2', keys: { k2: second } };

describe('hmacKeyring', () => {
  it('keys new runs with the current secret and older ones with theirs', async () => {
    const ring = hmacKeyring(both);
    expect(ring.current).toBe('k2');
    expect(await ring.digestFor()('{}')).toBe(await hmacSha256Digest(second, { keyId: 'k2' })('{}'));
    expect(await ring.digestFor('k2')('{}')).toBe(await ring.digestFor()('{}'));
    expect(await ring.digestFor('k1')('{}')).toBe(await hmacSha256Digest(first, { keyId: 'k1' })('{}'));
  });
  it('names the missing key and those it has, and no secret', () => {
    const error = thrownBy(() => hmacKeyring(retired).digestFor('k1'));
    expect(error).toMatchObject({ code: 'ERR_HOLDFAST_UNKNOWN_HMAC_KEY', keyId: 'k1', knownKeyIds: ['k2'] });
    expect(error.message).toMatch(/"k1".*k2/);
    expect(error.message).not.toContain(second);
  });
  it.each(['toString', '__proto__', ''])('does not know %j, which objects inherit', (keyId) => {
    expect(() => hmacKeyring(both).digestFor(keyId)).toThrow(UnknownHmacKeyError);
  });
  it('refuses a current key without a secret, and unusable keys, at once', () => {
    expect(() => hmacKeyring({ current: 'k3', keys: both.keys })).toThrow(UnknownHmacKeyError);
    expect(() => hmacKeyring({ current: 'k1', keys: {} })).toThrow(/none/);
    expect(() => hmacKeyring({ current: 'k1', keys: { k1: first, k2: 'short' } })).toThrow(DigestError);
    expect(() => hmacKeyring({ current: 'k1', keys: { k1: first, 'k.2': second } })).toThrow(DigestError);
  });
  it('takes the digest over node:crypto', async () => {
    const [node, web] = [hmacKeyring(both, { hmac: nodeHmac }), hmacKeyring(both)];
    for (const keyId of ['k1', 'k2']) expect(await node.digestFor(keyId)('{}')).toBe(await web.digestFor(keyId)('{}'));
  });
  it('does not follow later changes of what it was given', async () => {
    const keys: Record<string, string> = { k1: first };
    const ring = hmacKeyring({ current: 'k1', keys });
    keys['k2'] = second;
    expect(() => ring.digestFor('k2')).toThrow(UnknownHmacKeyError);
  });
});

describe('a run that lives through a rotation', () => {
  it('repeats no effect, whether its key id was stored or read from a receipt', async () => {
    const store = createMemoryReceiptStore();
    const sent: string[] = [];
    const send = async (ring: HmacKeyring, keyId: string | undefined) => {
      const argsHash = await toolCallArgsHash({ to: 'ada@example.com' }, ring.digestFor(keyId));
      const key = { tenantId: 'acme', runId: 'run-7', toolName: 'send_email', argsHash };
      const effect = async () => sent.push(argsHash);
      return (await executeOnce(store, key, effect, { allowVolatile: true })).kind;
    };
    const stored = hmacKeyring(old).current;
    expect(await send(hmacKeyring(old), stored)).toBe('executed');
    expect(await send(hmacKeyring(both), stored)).toBe('replayed');
    const { receipts } = await store.list({ tenantId: 'acme', runId: 'run-7' });
    expect(receipts.map(({ key }) => hmacKeyIdOf(key.argsHash))).toEqual(['k1']);
    expect(await send(hmacKeyring(both), hmacKeyIdOf(sent[0] as string))).toBe('replayed');
    await expect(send(hmacKeyring(retired), stored)).rejects.toThrow(UnknownHmacKeyError);
    expect(sent).toHaveLength(1);
    // What the ring prevents: under the new key the old receipt is not found.
    expect(await send(hmacKeyring(both), undefined)).toBe('executed');
  });
});

describe('hmacKeyIdOf', () => {
  it('reads what the digests write', async () => {
    expect(hmacKeyIdOf(await hmacSha256Digest(first, { keyId: 'k-2026_01' })('{}'))).toBe('k-2026_01');
    expect(hmacKeyIdOf(await hmacSha256Digest(first)('{}'))).toBe('1');
    expect(hmacKeyIdOf(await sha256Digest('{}'))).toBeUndefined();
    expect(hmacKeyIdOf(withOccurrence(await hmacSha256Digest(first)('{}'), 12))).toBe('1');
    expect(() => hmacKeyIdOf(`v1.s256.${'0'.repeat(64)}#0`)).toThrow(DigestError);
  });
  it.each(['', 'v1.h256.k1.', 'v1.h256.k1.abc', `v1.h256..${'0'.repeat(64)}`, `v2.h256.k1.${'0'.repeat(64)}`])(
    'refuses %j',
    (text) => {
      expect(() => hmacKeyIdOf(text)).toThrow(DigestError);
      expect(() => hmacKeyIdOf(`v1.s256.${'0'.repeat(64)}\n`)).toThrow(DigestError);
    },
  );
});

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Nothing was thrown');
}
