import { createHash } from 'node:crypto';
import { canonicalJson, hmacSha256Digest, sha256Digest, toolCallArgsHash } from '@holdfast/receipts';
import { describe, expect, it } from 'vitest';
import golden from './vectors/canonical-v1.json' with { type: 'json' };
import { specialInputs } from './vectors/inputs.js';
import numbers from './vectors/numbers.json' with { type: 'json' };
import rfc from './vectors/rfc8785.json' with { type: 'json' };

describe('RFC 8785', () => {
  it.each(rfc.cases)('writes the published case: $name', ({ input, output }) => {
    expect(canonicalJson(JSON.parse(input))).toBe(output);
  });
  it('gives the published bytes of section 3.2.4', () => {
    const values = rfc.cases.find(({ name }) => name === 'values');
    expect(Buffer.from(canonicalJson(JSON.parse(values?.input ?? ''))).toString('hex')).toBe(rfc.valuesHex);
  });
  it.each(numbers.appendixB)('writes the number %s of appendix B as %s', (bits = '', text = '') => {
    expect(canonicalJson(numberOf(bits))).toBe(text);
  });
  it.each(numbers.refused)('refuses the number %s of appendix B', (bits) => {
    expect(() => canonicalJson(numberOf(bits))).toThrow(expect.objectContaining({ reason: 'number' }));
  });
  it.each(Object.entries(numbers.sequence.sha256))(
    'writes the first %s numbers of the published sequence',
    (count, sha256) => {
      const hash = createHash('sha256');
      let line = 0;
      for (const [bits, value] of numberSequence()) {
        hash.update(`${bits},${canonicalJson(value)}\n`);
        if (++line === Number(count)) break;
      }
      expect(hash.digest('hex')).toBe(sha256);
    },
  );
});

describe('the stored format, version 1', () => {
  const hmac = hmacSha256Digest(golden.secret);

  it('has its vectors', () => {
    expect(golden.vectors.length).toBeGreaterThanOrEqual(200);
    expect(Object.keys(specialInputs).filter((name) => !golden.vectors.some((vector) => vector.name === name))).toEqual(
      [],
    );
  });
  it.each(golden.vectors)(
    'keeps the bytes and hashes of: $name',
    async ({ name, input, canonical, sha256, hmac: keyed }) => {
      const value = input === undefined ? special(name) : JSON.parse(input);
      expect(canonicalJson(value)).toBe(canonical);
      expect(sha256).toBe(`v1.s256.${createHash('sha256').update(canonical).digest('hex')}`);
      expect(await toolCallArgsHash(value, sha256Digest)).toBe(sha256);
      expect(await toolCallArgsHash(value, hmac)).toBe(keyed);
    },
  );
});

function special(name: string): unknown {
  if (!Object.hasOwn(specialInputs, name)) throw new Error(`No input for the vector ${name}`);
  return specialInputs[name];
}

function numberOf(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE();
}

/** The published sequence: chosen numbers, 2,000 that follow the smallest normal one, then chained SHA-256 blocks. */
function* numberSequence(): Generator<readonly [bits: string, value: number]> {
  const bytes = Buffer.alloc(8);
  const line = (value: number) => {
    bytes.writeDoubleBE(value);
    return [bytes.readBigUInt64BE().toString(16), value] as const;
  };
  for (const bits of numbers.sequence.first) yield line(numberOf(bits));
  for (let index = 0n; index < 2_000n; index++) {
    bytes.writeBigUInt64BE(0x0010000000000000n + index);
    yield line(bytes.readDoubleBE());
  }
  for (let block: Buffer = Buffer.alloc(32); ; ) {
    block = createHash('sha256').update(block).digest();
    for (let offset = 0; offset < 32; offset += 8) {
      const value = block.readDoubleLE(offset);
      if (value !== 0 && Number.isFinite(value)) yield line(value);
    }
  }
}
