/** The server is killed and started again while calls are claimed and completed. */

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
    let beats = 0;
    let onEnough = () => {};
    const enough = (count: number) =>
      new Promise<void>((resolve) => {
        onEnough = () => beats >= count && resolve();
        onEnough();
      });
    for (const crew of crews) {
      crew.onBeat = () => {
        beats++;
        onEnough();
      };
    }
    const work = Promise.all(crews.map((crew) => crew.runs({ lanes: orderOf(), whenBusy: 'wait' })));
    for (let restart = 1; restart <= options.restarts; restart++) {
      await Promise.race([enough(restart * options.between), work]);
      await site.server.kill();
      stage.fault('server killed');
      await site.server.start();
    }
    await work;
    await Promise.all(crews.map((crew) => crew.ends()));
    return (books) => exactlyOnce(books, { busy: false });
  });
}
