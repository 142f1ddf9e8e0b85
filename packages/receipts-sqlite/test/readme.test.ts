import { it } from 'vitest';
import { readmeBlocks, runReadmeBlock } from '../../../test/support/readme.js';

for (const block of readmeBlocks(import.meta.url)) it(block.title, () => runReadmeBlock(block));
