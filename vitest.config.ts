import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*', 'faults', 'test'],
    // By default one core is kept free, which is half of a small machine.
    maxWorkers: '100%',
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
  },
});
