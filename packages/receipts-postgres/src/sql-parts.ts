/** What the statements share. Parameters `$1` to `$4` are always the key. */

/** Every time is read from the server. Not `now()`, which is the start of the transaction: a claim may wait in one. */
export const CLOCK = 'clock_timestamp()';

export const MILLISECOND = `interval '1 millisecond'`;

export const KEY = 'tenant_id = $1 AND run_id = $2 AND tool_name = $3 AND args_hash = $4';

/** The key of the row `row`. */
export function keyOfRow(row: string): string {
  return KEY.replaceAll(/(\w+) =/g, `${row}.$1 =`);
}

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
