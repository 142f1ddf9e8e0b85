/** The moments at which the worker is killed, in the order in which a run reaches them. */

export type KillPoint =
  | 'report-between-steps'
  | 'report-part-arrived'
  | 'email-streaming'
  | 'email-claimed'
  | 'email-arrived'
  | 'email-before-checkpoint'
  | 'memory-landed';

/** One planned kill. */
export interface PlannedKill {
  readonly point: KillPoint;
  /** What had happened and what had not, in a few words. */
  readonly moment: string;
  /** The tool whose effect is in danger. */
  readonly tool: 'write_report' | 'send_email' | 'memory_append';
  /**
   * LangGraph writes checkpoints while the next step already runs, so a slow database lags behind. When set, the
   * checkpoint of the model's turn has not been written yet at the kill: the model is asked again after the restart
   * and makes the same call under a new id.
   */
  readonly checkpointLags?: boolean;
}

const allKills: readonly PlannedKill[] = [
  { point: 'report-between-steps', moment: 'parts 1, 2 out, 3 not yet', tool: 'write_report' },
  { point: 'report-part-arrived', moment: 'part 3 out, no record yet', tool: 'write_report' },
  { point: 'email-streaming', moment: 'halfway through the stream', tool: 'send_email' },
  { point: 'email-claimed', moment: 'claimed, nothing sent yet', tool: 'send_email', checkpointLags: true },
  { point: 'email-arrived', moment: 'sent, no record yet', tool: 'send_email', checkpointLags: true },
  {
    point: 'email-before-checkpoint',
    moment: 'call done, no checkpoint',
    tool: 'send_email',
    checkpointLags: true,
  },
  { point: 'memory-landed', moment: 'written, no record yet', tool: 'memory_append' },
];

/**
 * The kills of a run. Without a reconciler the first kill after the claim ends the e-mail as ambiguous, so only the
 * worst of the three is left.
 */
export function killPlan(reconcile: boolean): readonly PlannedKill[] {
  if (reconcile) return allKills;
  return allKills.filter(({ point }) => point !== 'email-claimed' && point !== 'email-before-checkpoint');
}

/** To whom the run writes that nobody kills, so that its e-mails are counted apart. */
export const NO_KILL_RECIPIENT = 'nobody-was-killed@example.com';
