import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';

export default defineConfig({
  ...base,
  // For src/node.ts. tsconfig.json compiles the rest without the types of Node; edge runtimes want the `node:` kept.
  dts: { compilerOptions: { paths: { '@holdfast/kernel': ['../kernel/src/index.ts'] }, types: ['node'] } },
  external: ['node:crypto'],
  removeNodeProtocol: false,
  entry: ['src/index.ts', 'src/memory.ts', 'src/node.ts', 'src/store.ts', 'src/conformance.ts'],
});
