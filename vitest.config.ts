import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*', 'test'],
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
  },
});
