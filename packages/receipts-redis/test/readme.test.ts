import { afterAll, it } from 'vitest';
import { readmeBlocks, runReadmeBlock } from '../../../test/support/readme.js';
import { REDIS_URL, serverAnswers } from '../../../test/support/services.js';
import { removeKeys } from './support/prefixes.js';

const answers = await serverAnswers(REDIS_URL);
afterAll(() => (answers ? removeKeys(REDIS_URL, 'readme:') : undefined));

for (const block of readmeBlocks(import.meta.url)) it.skipIf(!answers)(block.title, () => runReadmeBlock(block));
