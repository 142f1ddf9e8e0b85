/** What scripts have in common. They avoid functions and tables where they can, which are most of what a script costs. */

/** `now` is the server's time in whole milliseconds. */
export const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** `at` is a time as text of 13 digits, so that texts sort as times do. */
export const AT = `local at = string.format('%013.0f', now)`;
