import { fileURLToPath } from 'node:url';
import { defineProject } from 'vitest/config';

/**
 * Tests import each package by its own name and so run what was built.
 * `HOLDFAST_TEST=source` runs them against the sources instead, for watching and for coverage.
 */
const conditions =
  process.env.HOLDFAST_TEST === 'source' ? ['@holdfast/source', 'node', 'development|production'] : undefined;

const setup = fileURLToPath(new URL('./vitest.setup.ts', import.meta.url));

export const project = (name: string, include = 'test/**/*.test.ts') =>
  defineProject({
    ...(conditions && { resolve: { conditions }, ssr: { resolve: { conditions } } }),
    test: {
      name,
      include: [include],
      setupFiles: [setup],
      testTimeout: 20_000,
      // A process and its modules serve one file after the other; what a test replaces is put back.
      isolate: false,
      restoreMocks: true,
      unstubGlobals: true,
    },
  });
