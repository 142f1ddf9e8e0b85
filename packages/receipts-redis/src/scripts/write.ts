/** What the holder of an attempt may write, and what a person may. */

import { AT, NOW } from './clock.js';

/** KEYS: receipt. ARGV: attempt, token, leaseMs, and for a journal entry its field and its text. */
export const RENEW = `local row = redis.call('HMGET', KEYS[1], 'status', 'attempt', 'token')
if row[1] ~= 'running' or row[2] ~= ARGV[1] or row[3] ~= ARGV[2] then return 'fenced' end
${NOW}
redis.call('HSET', KEYS[1], 'lease', now + ARGV[3])
if ARGV[4] then redis.call('HSETNX', KEYS[1], ARGV[4], ARGV[5]) end
return 'ok'`;

/**
 * KEYS: receipt. ARGV: attempt, token, the status to store, the result or error, and `completed` or `failed`.
 *
 * When fenced, keeps the text as evidence if the claim was ever granted and says more than what is kept: an effect that
 * happened beats one that failed, and a later attempt beats an earlier one.
 */
export const SETTLE = `local row = redis.call('HMGET', KEYS[1], 'status', 'attempt', 'token')
if not row[1] then return 'fenced' end
local holds = row[2] == ARGV[1] and row[3] == ARGV[2]
if holds and row[1] == 'running' then
  ${NOW}
  ${AT}
  redis.call('HSET', KEYS[1], 'status', ARGV[3], 'text', ARGV[4], 'changed', at)
  return 'ok'
end
local late = redis.call('HMGET', KEYS[1], 'resolved', 'evidence')
if holds and row[1] == ARGV[3] and not late[1] then return 'already' end
if not holds and not (tonumber(ARGV[1]) < tonumber(row[2])) then return 'fenced' end
local better = true
if late[2] then
  local kind, attempt = string.match(late[2], '^(%a+):([^:]+):')
  if kind == ARGV[5] then better = tonumber(ARGV[1]) > tonumber(attempt) else better = ARGV[5] == 'completed' end
end
if better then redis.call('HSET', KEYS[1], 'evidence', ARGV[5] .. ':' .. ARGV[1] .. ':' .. ARGV[4]) end
return 'fenced'`;

/** KEYS: receipt. ARGV: attempt, the status to store, and the result or error if the verdict has one. */
export const RESOLVE = `local row = redis.call('HMGET', KEYS[1], 'status', 'attempt', 'lease')
if row[2] ~= ARGV[1] then return 'fenced' end
${NOW}
${AT}
if row[1] ~= 'ambiguous' and (row[1] ~= 'running' or now < tonumber(row[3])) then return 'fenced' end
redis.call('HSET', KEYS[1], 'status', ARGV[2], 'resolved', '1', 'changed', at)
if ARGV[3] then redis.call('HSET', KEYS[1], 'text', ARGV[3]) end
return 'ok'`;
