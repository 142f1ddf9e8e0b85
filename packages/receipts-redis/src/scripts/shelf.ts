/** Reading and clearing the indexes of a bucket. */

import { NOW } from './clock.js';

/** Index entries that one script looks at, so that the server is never held up for long. */
const SCAN_SPAN = 1_000;

/**
 * KEYS: indexes of one bucket. ARGV: the entry to start after or '', an age in milliseconds that entries must have
 * reached or '', what the receipt's text must begin with, and how many to give.
 *
 * Answers the last entry looked at, or '' when there are no more, and the entries found, in the order of both indexes
 * together. Compares bytes itself, since Lua's own comparison depends on the server's locale.
 */
export const SCAN = `local function before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end
local from, to = '-', '+'
if ARGV[1] ~= '' then from = '(' .. ARGV[1] end
if ARGV[2] ~= '' then
  ${NOW}
  local cutoff = math.floor(now - ARGV[2])
  if cutoff < 0 then return {''} end
  to = '(' .. string.format('%013.0f', cutoff + 1)
end
local one = redis.call('ZRANGEBYLEX', KEYS[1], from, to, 'LIMIT', 0, ${SCAN_SPAN})
local other = KEYS[2] and redis.call('ZRANGEBYLEX', KEYS[2], from, to, 'LIMIT', 0, ${SCAN_SPAN}) or {}
local answer, i, j, limit, seen, last = {''}, 1, 1, tonumber(ARGV[4]), 0, ''
while seen < ${SCAN_SPAN} and #answer <= limit do
  local entry
  if one[i] and not (other[j] and before(other[j], one[i])) then
    entry = one[i]
    i = i + 1
  else
    entry = other[j]
    j = j + 1
  end
  if not entry then return answer end
  seen = seen + 1
  last = entry
  if string.sub(entry, 14, 13 + #ARGV[3]) == ARGV[3] then answer[#answer + 1] = entry end
end
answer[1] = last
return answer`;

/** KEYS: receipts. ARGV: the stored statuses that are wanted. Answers `now`, and of each receipt its row or nothing. */
export const READ = `${NOW}
local wanted = {}
for _, status in ipairs(ARGV) do wanted[status] = true end
local answer = {string.format('%.0f', now)}
for i, key in ipairs(KEYS) do
  local row = redis.call('HMGET', key,
    'status', 'attempt', 'effect', 'token', 'lease', 'status', 'evidence', 'resolved', 'created', 'changed')
  if row[1] and wanted[row[1]] then
    if row[1] == 'completed' then
      row[6] = redis.call('HEXISTS', key, 'text') == 1 and ''
    else
      row[6] = redis.call('HGET', key, 'text')
    end
    answer[i + 1] = row
  else
    answer[i + 1] = false
  end
end
return answer`;

/** KEYS: one receipt. Answers `now`, and its fields and their texts if it is there. */
export const READ_WHOLE = `${NOW}
local answer = redis.call('HGETALL', KEYS[1])
table.insert(answer, 1, string.format('%.0f', now))
return answer`;

/**
 * KEYS: live index, spent index, receipts. ARGV: the ages at which a result is dropped and a key removed, how many
 * receipts may be touched, and the index entry of each receipt. Answers results dropped, keys removed, and whether the
 * limit stopped it. A receipt whose result is dropped moves to the spent index.
 */
export const COLLECT = `${NOW}
local drop, remove, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local dropped, removed = 0, 0
for i = 3, #KEYS do
  local key, entry = KEYS[i], ARGV[i + 1]
  local row = redis.call('HMGET', key, 'status', 'changed')
  local status = row[1]
  local settled = status == 'completed' or status == 'failed' or status == 'rejected'
  local age = settled and now - row[2]
  local removes = settled and age >= remove
  local drops = status == 'completed' and age >= drop and redis.call('HEXISTS', key, 'text') == 1
  if (removes or drops) and dropped + removed >= limit then return {dropped, removed, 1} end
  if removes then
    redis.call('ZREM', KEYS[1], entry)
    redis.call('ZREM', KEYS[2], entry)
    redis.call('UNLINK', key)
    removed = removed + 1
  elseif drops then
    redis.call('ZADD', KEYS[2], 0, entry)
    redis.call('ZREM', KEYS[1], entry)
    for _, field in ipairs(redis.call('HKEYS', key)) do
      if field == 'text' or field == 'evidence' or string.sub(field, 1, 5) == 'step:' then
        redis.call('HDEL', key, field)
      end
    end
    dropped = dropped + 1
  end
end
return {dropped, removed, 0}`;
