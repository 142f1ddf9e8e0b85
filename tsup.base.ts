import type { Options } from 'tsup';

/** One build shape for every package: ESM and CommonJS, each with its declarations, the kernel inlined. */
export const base: Options = {
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  // tsup resolves `paths` from the package's own folder.
  dts: { compilerOptions: { paths: { '@holdfast/kernel': ['../kernel/src/index.ts'] } } },
  noExternal: ['@holdfast/kernel'],
  esbuildOptions(options) {
    options.conditions = ['@holdfast/source'];
  },
  clean: true,
  sourcemap: false,
  treeshake: true,
  splitting: true,
};
