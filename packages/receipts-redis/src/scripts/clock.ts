/** What all scripts have in common. */

/** `now` is the server's time in whole milliseconds. */
export const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** `stamp(ms)` writes a time so that texts sort as the times do. */
export const STAMP = `local function stamp(ms) return string.format('%013.0f', ms) end`;
