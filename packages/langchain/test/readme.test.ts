import { describe, it } from 'vitest';
import { readmeBlocks, runReadmeBlock } from '../../../test/support/readme.js';

describe('README', () => {
  for (const block of readmeBlocks(import.meta.url)) it(block.title, () => runReadmeBlock(block));
});
