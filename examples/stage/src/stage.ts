/** The worker's side: it tells what happens to its jobs, and stands still where it is to be killed. */

import type { Cue, Report } from './report.js';

export interface Stage {
  /** Tells what happened. */
  tell(report: Report): void;
  /** Returns at once, or never when this is the moment of the job at which the process is to be killed. */
  reached(job: string, moment: string): Promise<void>;
  /** Resolves when the worker is asked to close its connections and leave. */
  readonly closing: Promise<void>;
}

/** Takes the settings that the process was started with. The process ends with the one that started it. */
export function enterStage<Settings>(): { readonly settings: Settings; readonly stage: Stage } {
  const { settings, standAt } = JSON.parse(process.argv[2] ?? '') as Cue;
  const tell = (report: Report): void => {
    process.send?.(report);
  };
  const leave = (): never => process.exit(1);
  process.once('disconnect', leave);
  const closing = new Promise<void>((resolve) => {
    process.once('message', () => {
      process.off('disconnect', leave);
      process.disconnect();
      resolve();
    });
  });
  const stage: Stage = {
    tell,
    async reached(job, moment) {
      if (standAt[job] !== moment) return;
      tell({ kind: 'standing', job, moment });
      await new Promise(() => {});
    },
    closing,
  };
  return { settings: settings as Settings, stage };
}
