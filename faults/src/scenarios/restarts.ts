/** The server is killed and started again while calls are claimed and completed. */

import { once } from 'node:events';
import { type Call, dealt } from '../calls.js';
import type { OwnServer } from '../servers.js';
import { type Report, type Site, Stage, type StageOptions } from '../stage.js';
import { exactlyOnce } from './exactly-once.js';

export interface RestartsOptions extends StageOptions {
  readonly restarts: number;
  /** Calls that end between two kills. */
  readonly between: number;
  readonly lanes: number;
}

export function restarts(site: Site & { readonly server: OwnServer }, options: RestartsOptions): Promise<Report> {
  return Stage.run('server killed', site, { ...options, durability: 'A' }, async (stage) => {
    const { lanes } = options;
    const keys = Array.from({ length: (options.restarts + 1) * options.between }, (_, index) => `key-${index}`);
    const orderOf = (): Call[][] =>
      dealt(
        keys.map((key) => stage.call(key, 'opaque')),
        lanes,
      );
    const crews = await Promise.all([stage.crew(lanes), stage.crew(lanes)]);
    const beats = new EventTarget();
    for (const crew of crews) crew.onBeat = () => beats.dispatchEvent(new Event('beat'));
    const work = Promise.all(crews.map((crew) => crew.runs({ lanes: orderOf(), whenBusy: 'wait' })));
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    for (let restart = 0; restart < options.restarts && !isOver; restart++) {
      for (let beat = 0; beat < options.between; beat++) await Promise.race([once(beats, 'beat'), work]);
      await site.server.kill();
      stage.fault('server killed');
      await site.server.start();
    }
    await work;
    await Promise.all(crews.map((crew) => crew.ends()));
    return (books) => exactlyOnce(books, { busy: false });
  });
}
