/** Each property draws the same values on every machine. `HOLDFAST_FUZZ_SEED=7` draws others, a long run by default too. */

import fc from 'fast-check';

const { HOLDFAST_FUZZ_SEED: asked, HOLDFAST_FUZZ_RUNS: long } = process.env;
const seed = asked === undefined ? (long === undefined ? 20_261_130 : undefined) : Number(asked);
if (seed !== undefined) fc.configureGlobal({ seed });
