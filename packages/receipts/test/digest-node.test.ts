import crypto, { createHash, createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import * as root from '@holdfast/receipts';
import * as node from '@holdfast/receipts/node';
import { describe, expect, it } from 'vitest';

const texts = ['', '{}', '{"to":"ada@example.com"}', '"é😀\\ud800"', 'x'.repeat(100_000), 'é'.repeat(1_000)];
const secret = 'sixteen bytes ok';

describe('the digests over node:crypto', () => {
  it.each(texts)('give the stored values of those over Web Crypto: %j', async (text) => {
    const sha256 = `v1.s256.${createHash('sha256').update(text).digest('hex')}`;
    expect(await node.sha256Digest(text)).toBe(sha256);
    expect(await root.sha256Digest(text)).toBe(sha256);
    for (const keyId of ['1', 'k-2026_01']) {
      const hmac = `v1.h256.${keyId}.${createHmac('sha256', secret).update(text).digest('hex')}`;
      expect(await node.hmacSha256Digest(secret, { keyId })(text)).toBe(hmac);
      expect(await root.hmacSha256Digest(secret, { keyId })(text)).toBe(hmac);
    }
  });
  it('key with text and bytes alike, under the key id 1 by default', async () => {
    const bytes = Buffer.from('ein Geheimnis für Tests');
    const [ofText, ofBytes] = [node.hmacSha256Digest(bytes.toString()), node.hmacSha256Digest(bytes)];
    const before = await ofBytes('{}');
    expect(before).toMatch(/^v1\.h256\.1\./);
    expect(await ofText('{}')).toBe(before);
    bytes.fill(0);
    expect(await ofBytes('{}')).toBe(before);
  });
  it('refuse what those over Web Crypto refuse', async () => {
    for (const { sha256Digest, hmacSha256Digest } of [node, root]) {
      await expect(sha256Digest('a\ud800')).rejects.toThrow(root.DigestError);
      await expect(hmacSha256Digest(secret)('\udc00')).rejects.toThrow(/lone surrogate/);
      expect(() => hmacSha256Digest('fifteen bytes..')).toThrow(/16 bytes/);
      expect(() => hmacSha256Digest('fifteen bytes..')).toThrow(/^(?!.*fifteen)/);
      expect(() => hmacSha256Digest('\ud800'.repeat(20))).toThrow(/lone surrogate/);
      // A setting that is not there, and texts that would become zeros.
      for (const none of [undefined, null, 1e20, Array(20).fill('x'), new ArrayBuffer(32)]) {
        expect(() => hmacSha256Digest(none as never)).toThrow(/text or a Uint8Array/);
        expect(() => hmacSha256Digest(none as never)).toThrow(root.DigestError);
      }
      expect(() => hmacSha256Digest(runInNewContext('new Uint8Array(16)'))).not.toThrow();
      for (const keyId of ['', 'a.b', 'a b', 'é', 'x'.repeat(33)]) {
        expect(() => hmacSha256Digest(secret, { keyId })).toThrow(root.DigestError);
      }
    }
  });
  it('serve toolCallArgsHash', async () => {
    const args = { to: 'ada@example.com', cc: undefined };
    expect(await root.toolCallArgsHash(args, node.sha256Digest)).toBe(
      await root.toolCallArgsHash(args, root.sha256Digest),
    );
  });
  it('do without crypto.hash', async () => {
    const { hash } = crypto;
    Object.assign(crypto, { hash: undefined });
    try {
      // The CommonJS build loads here, and nowhere before.
      const older: typeof node = createRequire(import.meta.url)('@holdfast/receipts/node');
      expect(older.sha256Digest).not.toBe(node.sha256Digest);
      for (const text of texts) expect(await older.sha256Digest(text)).toBe(await root.sha256Digest(text));
    } finally {
      Object.assign(crypto, { hash });
    }
  });
});
