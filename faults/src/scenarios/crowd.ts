/** Fifty workers that want the same calls at the same time. */

import type { Call } from '../calls.js';
import { type Report, type Site, Stage, type StageOptions } from '../stage.js';
import { exactlyOnce } from './exactly-once.js';

export interface CrowdOptions extends StageOptions {
  readonly processes: number;
  /** Workers in all. */
  readonly workers: number;
  readonly keys: number;
  /** How many of the workers call each key. */
  readonly callers: number;
}

export function crowd(site: Site, options: CrowdOptions): Promise<Report> {
  const { processes, workers, keys, callers } = options;
  const name = `${workers} workers, ${keys} ${keys === 1 ? 'key' : 'keys'} × ${callers}`;
  return Stage.run(name, site, options, async (stage) => {
    const lanes: Call[][] = Array.from({ length: workers }, () => []);
    for (let index = 0; index < keys; index++) {
      // Those who call the same key stand at the same place of their lanes, and so call it together.
      for (let caller = 0; caller < callers; caller++) {
        lanes[(index + caller * Math.floor(workers / callers)) % workers]?.push(stage.call(`key-${index}`, 'opaque'));
      }
    }
    stage.fault('duplicate delivery', keys * (callers - 1));
    const each = workers / processes;
    const crews = await Promise.all(Array.from({ length: processes }, () => stage.crew(each)));
    await Promise.all(
      crews.map((crew, index) => crew.runs({ lanes: lanes.slice(index * each, (index + 1) * each), whenBusy: 'wait' })),
    );
    await Promise.all(crews.map((crew) => crew.ends()));
    return (books) => exactlyOnce(books, { busy: false });
  });
}
