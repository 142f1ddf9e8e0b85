import { createHash, createHmac, webcrypto } from 'node:crypto';
import {
  CanonicalJsonError,
  DigestError,
  type DigestFn,
  hmacSha256Digest,
  sha256Digest,
  toolCallArgsHash,
  type WebCryptoLike,
} from '@holdfast/receipts';
import { afterEach, describe, expect, it, vi } from 'vitest';

const texts = ['', '{}', '{"to":"ada@example.com"}', '"é😀\\ud800"', 'x'.repeat(100_000)];
const secret = 'sixteen bytes ok';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('sha256Digest', () => {
  it.each(texts)('hashes the UTF-8 bytes of %j', async (text) => {
    expect(await sha256Digest(text)).toBe(`v1.s256.${createHash('sha256').update(text).digest('hex')}`);
  });
  it('uses the Web Crypto that is passed in', async () => {
    const digest = vi.fn(async () => Uint8Array.from({ length: 32 }, (_, index) => index).buffer);
    const crypto: WebCryptoLike = { subtle: { ...webcrypto.subtle, digest } };
    expect(await sha256Digest('{}', { crypto })).toBe(
      'v1.s256.000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    );
    expect(digest).toHaveBeenCalledWith('SHA-256', new TextEncoder().encode('{}'));
  });
});

describe('hmacSha256Digest', () => {
  it.each(texts)('keys the UTF-8 bytes of %j', async (text) => {
    const expected = createHmac('sha256', secret).update(text).digest('hex');
    expect(await hmacSha256Digest(secret)(text)).toBe(`v1.h256.1.${expected}`);
    expect(await hmacSha256Digest(Buffer.from(secret), { keyId: 'k-2026_01' })(text)).toBe(
      `v1.h256.k-2026_01.${expected}`,
    );
  });
  it('gives another secret another hash, and the same secret the same', async () => {
    const [one, other] = [hmacSha256Digest(secret), hmacSha256Digest(`${secret}!`)];
    expect(await one('{}')).toBe(await one('{}'));
    expect(await one('{}')).not.toBe(await other('{}'));
  });
  it('copies the secret', async () => {
    const bytes = new TextEncoder().encode(secret);
    const digest = hmacSha256Digest(bytes);
    bytes.fill(0);
    expect(await digest('{}')).toBe(await hmacSha256Digest(secret)('{}'));
  });
  it('refuses a secret under 16 bytes and a key id that is not one word', () => {
    expect(() => hmacSha256Digest('fifteen bytes..')).toThrow(DigestError);
    expect(() => hmacSha256Digest(new Uint8Array(15))).toThrow(DigestError);
    expect(() => hmacSha256Digest('é'.repeat(8))).not.toThrow();
    for (const keyId of ['', 'a.b', 'a b', 'é', 'x'.repeat(33)]) {
      expect(() => hmacSha256Digest(secret, { keyId })).toThrow(DigestError);
    }
  });
  it('never says the secret', () => {
    expect(() => hmacSha256Digest('pass phrase')).toThrow(/^(?!.*pass phrase)/);
  });
});

describe('both', () => {
  it('refuse text that UTF-8 cannot hold', async () => {
    await expect(sha256Digest('a\ud800')).rejects.toThrow(DigestError);
    await expect(hmacSha256Digest(secret)('\udc00')).rejects.toThrow(DigestError);
    expect(() => hmacSha256Digest('\ud800'.repeat(20))).toThrow(DigestError);
  });
  it.each([undefined, {}])('say so where there is no Web Crypto: %j', async (crypto) => {
    vi.stubGlobal('crypto', crypto);
    await expect(sha256Digest('{}')).rejects.toThrow(/Web Crypto/);
    await expect(sha256Digest('{}')).rejects.toThrow(expect.objectContaining({ code: 'ERR_HOLDFAST_DIGEST' }));
    expect(() => hmacSha256Digest(secret)).toThrow(/Web Crypto/);
    expect(await sha256Digest('{}', { crypto: webcrypto })).toMatch(/^v1\.s256\./);
  });
});

describe('toolCallArgsHash', () => {
  it('gives the digest the canonical form, once, and returns what it gives', async () => {
    const digest = vi.fn<DigestFn>(async (canonical) => `<${canonical}>`);
    expect(await toolCallArgsHash({ b: 1, a: undefined }, digest)).toBe('<{"a":null,"b":1}>');
    expect(await toolCallArgsHash(undefined, digest)).toBe('<null>');
    expect(digest).toHaveBeenCalledTimes(2);
  });
  it('does not ask the digest about arguments without a canonical form', async () => {
    const digest = vi.fn<DigestFn>(async () => 'hash');
    await expect(toolCallArgsHash({ f: () => 1 }, digest)).rejects.toThrow(CanonicalJsonError);
    await expect(toolCallArgsHash({ id: 2 ** 53 }, digest, { rejectUnsafeIntegers: true })).rejects.toThrow(
      CanonicalJsonError,
    );
    expect(digest).not.toHaveBeenCalled();
  });
  it.each(['', undefined, null, 7, new Uint8Array(32)])('refuses a digest that gives %s', async (hash) => {
    await expect(toolCallArgsHash({}, async () => hash as string)).rejects.toThrow(DigestError);
  });
  it('passes on what the digest throws', async () => {
    const fault = new Error('no key');
    await expect(toolCallArgsHash({}, () => Promise.reject(fault))).rejects.toBe(fault);
  });
});
