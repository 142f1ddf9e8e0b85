/** `@holdfast/receipts/conformance`: what every receipt store must do, as cases for any test runner. */

import type { ConformanceCase } from './conformance/case.js';
import { claims } from './conformance/claims.js';
import { collecting } from './conformance/collecting.js';
import { evidence } from './conformance/evidence.js';
import { fencing } from './conformance/fencing.js';
import { journal } from './conformance/journal.js';
import { leases } from './conformance/leases.js';
import { listing } from './conformance/listing.js';
import type { OpenStore } from './conformance/opened-store.js';
import { races } from './conformance/races.js';
import { reading } from './conformance/reading.js';
import { resolving } from './conformance/resolving.js';
import { settling } from './conformance/settling.js';
import { texts } from './conformance/texts.js';

export type { ConformanceCase } from './conformance/case.js';
export { ConformanceError } from './conformance/expect.js';
export type { OpenedStore, OpenStore } from './conformance/opened-store.js';

/** The two functions of a test runner that register tests: those of vitest, jest, mocha, node:test and Bun all fit. */
export interface ConformanceRunner {
  describe(title: string, body: () => void): unknown;
  it(title: string, body: () => Promise<void>): unknown;
}

/** Every case. A runner without `describe` and `it` registers these itself. */
export const RECEIPT_STORE_CASES: readonly ConformanceCase[] = [
  ...claims,
  ...leases,
  ...settling,
  ...fencing,
  ...evidence,
  ...journal,
  ...texts,
  ...resolving,
  ...reading,
  ...listing,
  ...collecting,
  ...races,
];

/**
 * Registers every case with a test runner. Each opens a store of its own. With a clock that moves, a case takes as long as
 * the store's answers; without one some wait for a lease of 40 ms to end.
 */
export function receiptStoreConformance({ describe, it }: ConformanceRunner, open: OpenStore): void {
  const groups = new Set(RECEIPT_STORE_CASES.map(({ group }) => group));
  for (const group of groups) {
    describe(group, () => {
      for (const each of RECEIPT_STORE_CASES) {
        if (each.group === group) it(`${each.title} [${each.id}]`, () => each.run(open));
      }
    });
  }
}
