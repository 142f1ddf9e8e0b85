/** What every store must do, as cases that any runner can run: a name, and a function that throws when it does not hold. */

import { claims } from './contract/claims.js';
import { collecting } from './contract/collecting.js';
import { fencing } from './contract/fencing.js';
import type { ContractCase } from './contract/harness.js';
import { overview } from './contract/overview.js';
import { resolving } from './contract/resolving.js';
import { settling } from './contract/settling.js';

export { type ContractCase, granted, keyOf, LEASE, request } from './contract/harness.js';

/** The contract of a store, by group. */
export const STORE_CONTRACT: Readonly<Record<string, readonly ContractCase[]>> = {
  claims,
  settling,
  fencing,
  resolving,
  overview,
  collecting,
};
