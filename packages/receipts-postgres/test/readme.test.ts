import { afterAll, it } from 'vitest';
import { readmeBlocks, runReadmeBlock } from '../../../test/support/readme.js';
import { dropSchemas, hasServer } from './support/databases.js';

afterAll(() => (hasServer ? dropSchemas(['readme']) : undefined));

for (const block of readmeBlocks(import.meta.url)) it.skipIf(!hasServer)(block.title, () => runReadmeBlock(block));
