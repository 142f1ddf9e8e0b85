/** What the statements and functions share. Parameters `$1` to `$4` are always the key. */

/** Every time is read from the server. Not `now()`, which is the start of the transaction: a claim may wait in one. */
export const CLOCK = 'clock_timestamp()';

export const MILLISECOND = `interval '1 millisecond'`;

/** The parts of the primary key. */
export const KEY_COLUMNS = 'tenant_id, run_id, tool_name, args_hash';

/** Names the receipt, or its journal, among the rows `x`. */
export const KEY = 'x.tenant_id = $1 AND x.run_id = $2 AND x.tool_name = $3 AND x.args_hash = $4';

/** The attempt of `$5` and `$6` holds the receipt `x`. */
export const HOLDS = `x.status = 'running' AND x.attempts = $5::integer AND x.token = $6`;

/** An interval as a number of milliseconds. */
export function milliseconds(interval: string): string {
  return `(1000 * extract(epoch FROM ${interval}))::float8`;
}

/**
 * True, and sees to it that this transaction is on the disk before it is answered, also where the host works with
 * `synchronous_commit = off`. Stronger settings than `on` stay.
 */
export const DURABLE = `(current_setting('synchronous_commit') <> 'off' OR set_config('synchronous_commit', 'on', true) = 'on')`;

/** True, and lets the server answer before this transaction is on the disk. */
export const DEFERRED = `set_config('synchronous_commit', 'off', true) = 'off'`;
