/** Granting an attempt, or showing the receipt as it stands. */

import { AT, NOW } from './clock.js';

/**
 * KEYS: receipt, live index; both begin with the tag of their bucket, and the index goes on with `live`. ARGV: effect,
 * token, leaseMs, maxAttempts.
 *
 * Answers 1 for the first attempt of a new receipt; `granted`, the attempt, the receipt's age and the journal for any
 * other; or the row and the time, out of which the shared transition makes the answer. A script that fails takes nothing
 * back, so the write that could fail comes first.
 */
export const CLAIM = `local status = redis.call('HGET', KEYS[1], 'status')
if not status then
  ${NOW}
  ${AT}
  redis.call('ZADD', KEYS[2], 0, at .. string.sub(KEYS[1], #KEYS[2] - 3))
  redis.call('HSET', KEYS[1], 'status', 'running', 'attempt', '1', 'effect', ARGV[1], 'token', ARGV[2],
    'lease', now + ARGV[3], 'created', at)
  return 1
end
local row = redis.call('HMGET', KEYS[1],
  'status', 'attempt', 'effect', 'token', 'lease', 'text', 'evidence', 'resolved', 'created')
if status ~= 'running' and status ~= 'failed' then return row end
${NOW}
${AT}
row[10] = at
local attempt, created = tonumber(row[2]), row[9]
if row[4] == ARGV[2] then
  if status == 'failed' then return row end
  redis.call('HSET', KEYS[1], 'lease', now + ARGV[3])
else
  local free = status == 'failed'
    or (tonumber(row[5]) <= now and row[3] == 'resumable' and ARGV[1] == 'resumable')
  if not free or attempt >= tonumber(ARGV[4]) then return row end
  attempt = attempt + 1
  if row[8] then created = at end
  redis.call('HDEL', KEYS[1], 'text', 'resolved')
  redis.call('HSET', KEYS[1], 'status', 'running', 'attempt', attempt, 'effect', ARGV[1], 'token', ARGV[2],
    'lease', now + ARGV[3], 'created', created, 'changed', at)
end
local answer = {'granted', attempt, now - created}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 5) == 'step:' then
    answer[#answer + 1] = string.sub(fields[i], 6)
    answer[#answer + 1] = fields[i + 1]
  end
end
return answer`;
