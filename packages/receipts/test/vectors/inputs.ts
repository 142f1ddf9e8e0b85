/** Inputs of `canonical-v1.json` that JSON text cannot express, by the name of their vector. */

const shared = { a: 1 };

export const specialInputs: Readonly<Record<string, unknown>> = {
  'no value': undefined,
  'undefined member': { a: undefined },
  'undefined element': [undefined],
  // biome-ignore lint/suspicious/noSparseArray: a hole is what this vector is about
  hole: [, 1],
  'negative zero': [-0],
  date: { at: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)) },
  'invalid date': [new Date(Number.NaN)],
  'bytes in a Buffer': Buffer.from('hi'),
  'toJSON with its key': { d: { toJSON: (key: string) => `key ${key}` } },
  'toJSON in an array': [{ toJSON: (key: string) => `key ${key}` }],
  'toJSON that gives undefined': { d: { toJSON: () => undefined } },
  'boxed primitives': [Object(1.5), Object('text'), Object(false)],
  'null prototype': Object.assign(Object.create(null), { b: 1, a: 2 }),
  'shared value': { x: shared, y: shared },
  'lone surrogates': { '\udc00': '\ud800', pair: '\ud83d\ude00', reversed: '\ude00\ud83d' },
};
