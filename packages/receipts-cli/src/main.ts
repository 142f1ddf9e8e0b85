#!/usr/bin/env node
/** The command `receipts`. */

import { EXIT } from './exit.js';
import { output } from './output.js';
import { run } from './run.js';

// Whoever reads the output may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  output.say(`receipts: The output cannot be written. ${error.message}\n`);
  process.exit(EXIT.finding);
});
// What nobody hears does not stop a command that may have written already.
process.stderr.on('error', () => {});

process.exitCode = await run(process.argv.slice(2));
