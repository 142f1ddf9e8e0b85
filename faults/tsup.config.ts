import { defineConfig } from 'tsup';

// The harness and the worker are two programs; what they share lands in a chunk beside them.
export default defineConfig({
  entry: ['src/main.ts', 'src/worker.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  clean: true,
});
