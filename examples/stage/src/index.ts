/** What the worker examples share. */

export { type Account, accountOf, type CountedJob } from './account.js';
export { connectMailer, type Mailer, type OutsideWorld } from './outside-world.js';
export { POSTGRES, REDIS, type Run, runExample } from './run-example.js';
export { enterStage, type Stage } from './stage.js';
export { killAndCarryOn, type RelayOutcome } from './worker-process.js';
