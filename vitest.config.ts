import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*', 'faults', 'test'],
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
  },
});
