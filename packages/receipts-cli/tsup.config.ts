import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

/** A command and nothing to import: one format, no declarations. */
export default defineConfig({
  ...base,
  entry: ['src/main.ts'],
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  dts: false,
});
