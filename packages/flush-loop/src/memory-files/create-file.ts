/** Making a file whole or not at all. */

import { randomUUID } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';

/**
 * Makes the file with its text in one step that only one caller wins; `false` when it is there already. Nobody ever
 * sees it without its text, and a crash leaves at most a draft beside it.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await handle.close();
    await unlink(draft).catch(() => {});
  }
}
