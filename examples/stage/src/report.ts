/** What a worker tells the process that started it. */

export type Report =
  /** The engine has handed the job to this worker. */
  | { readonly kind: 'delivered'; readonly job: string }
  /** The worker stands still at a moment of this job, to be killed there. */
  | { readonly kind: 'standing'; readonly job: string; readonly moment: string }
  /** What the receipt decided, and the number of the attempt that it is at. */
  | { readonly kind: 'decided'; readonly job: string; readonly decision: string; readonly attempt?: number }
  /** The job is done with, as far as this worker knows. */
  | { readonly kind: 'finished'; readonly job: string };

/** How a worker is started: its own settings, and the moment of each job at which it stands still. */
export interface Cue {
  readonly settings: unknown;
  readonly standAt: Readonly<Record<string, string>>;
}
