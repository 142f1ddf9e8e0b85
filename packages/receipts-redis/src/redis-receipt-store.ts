/** Receipts on a Redis server or cluster, one script a verb. */

import type {
  ClaimOutcome,
  ClaimRequest,
  CollectOutcome,
  CollectPolicy,
  DurabilityClass,
  FencedOutcome,
  ReceiptClaim,
  ReceiptDetail,
  ReceiptFailure,
  ReceiptFilter,
  ReceiptPage,
  ReceiptStore,
  ReceiptVerdict,
  SettleOutcome,
  ToolCallReceiptKey,
} from '@holdfast/receipts';
import {
  applyClaim,
  applyComplete,
  applyFail,
  applyResolve,
  checkClaimRequest,
  checkLeaseMs,
  decodeStoredText,
  encodeStoredText,
} from '@holdfast/receipts/store';
import { collectReceipts } from './collect-receipts.js';
import { namesOf } from './key-names.js';
import { listReceipts } from './list-receipts.js';
import { readReceipt } from './read-receipt.js';
import { RedisReplyError } from './redis-errors.js';
import { numberOf, rowOf, textOf, wordOf } from './replies.js';
import { type ScriptRunner, scriptOf } from './script-runner.js';
import { CLAIM } from './scripts/claim.js';
import { RENEW, RESOLVE, SETTLE } from './scripts/write.js';

const CLAIM_SCRIPT = scriptOf(CLAIM);
const RENEW_SCRIPT = scriptOf(RENEW);
const SETTLE_SCRIPT = scriptOf(SETTLE);
const RESOLVE_SCRIPT = scriptOf(RESOLVE);

const FAILURE_STATUS = { clean: 'failed', unknown: 'ambiguous', terminal: 'rejected' } as const;
const VERDICT_STATUS = { happened: 'completed', 'did-not-happen': 'failed', 'give-up': 'rejected' } as const;

/** The scripts decide who may write; whatever they refuse to write is put into words by the shared transitions. */
export class RedisReceiptStore implements ReceiptStore {
  readonly durability: DurabilityClass;
  readonly #runner: ScriptRunner;
  readonly #prefix: string;

  constructor(runner: ScriptRunner, prefix: string, durability: DurabilityClass) {
    this.#runner = runner;
    this.#prefix = prefix;
    this.durability = durability;
  }

  async claim(key: ToolCallReceiptKey, request: ClaimRequest): Promise<ClaimOutcome> {
    checkClaimRequest(request);
    const { receipt, live } = namesOf(this.#prefix, key);
    const { effect, token, leaseMs, maxAttempts } = request;
    const args = [effect, encodeStoredText(token), String(leaseMs), String(maxAttempts)];
    const answer = await this.#runner.run(CLAIM_SCRIPT, [receipt, live], args);
    if (!Array.isArray(answer)) return firstAttempt(answer);
    const reply: readonly unknown[] = answer;
    if (reply[0] !== 'granted') return refusal(reply, request);
    const [attempt, ageMs] = reply.slice(1, 3).map(numberOf) as [number, number];
    return { kind: 'execute', attempt, steps: journalOf(reply.slice(3)), ageMs };
  }

  async renew(key: ToolCallReceiptKey, claim: ReceiptClaim, leaseMs: number): Promise<FencedOutcome> {
    return this.#renew(key, claim, leaseMs, []);
  }

  async step(
    key: ToolCallReceiptKey,
    claim: ReceiptClaim,
    leaseMs: number,
    name: string,
    result: string,
  ): Promise<FencedOutcome> {
    return this.#renew(key, claim, leaseMs, [`step:${encodeStoredText(name)}`, encodeStoredText(result)]);
  }

  async complete(key: ToolCallReceiptKey, claim: ReceiptClaim, result: string): Promise<SettleOutcome> {
    applyComplete(undefined, claim, result);
    return this.#settle(key, claim, 'completed', result);
  }

  async fail(key: ToolCallReceiptKey, claim: ReceiptClaim, failure: ReceiptFailure): Promise<SettleOutcome> {
    applyFail(undefined, claim, failure);
    return this.#settle(key, claim, FAILURE_STATUS[failure.kind], failure.error);
  }

  async resolve(key: ToolCallReceiptKey, attempt: number, verdict: ReceiptVerdict): Promise<FencedOutcome> {
    applyResolve(undefined, attempt, verdict, 0);
    const args = [attemptText(attempt), VERDICT_STATUS[verdict.kind]];
    if (verdict.kind === 'happened') args.push(encodeStoredText(verdict.result));
    if (verdict.kind === 'give-up') args.push(encodeStoredText(verdict.error));
    const reply = await this.#runner.run(RESOLVE_SCRIPT, [namesOf(this.#prefix, key).receipt], args);
    return { kind: wordOf(reply, ['ok', 'fenced']) };
  }

  async read(key: ToolCallReceiptKey): Promise<ReceiptDetail | undefined> {
    return readReceipt(this.#runner, this.#prefix, key);
  }

  async list(filter: ReceiptFilter = {}): Promise<ReceiptPage> {
    return listReceipts(this.#runner, this.#prefix, filter);
  }

  async collect(policy: CollectPolicy): Promise<CollectOutcome> {
    return collectReceipts(this.#runner, this.#prefix, policy);
  }

  async #renew(
    key: ToolCallReceiptKey,
    { attempt, token }: ReceiptClaim,
    leaseMs: number,
    entry: readonly string[],
  ): Promise<FencedOutcome> {
    checkLeaseMs(leaseMs);
    const args = [attemptText(attempt), encodeStoredText(token), String(leaseMs), ...entry];
    const reply = await this.#runner.run(RENEW_SCRIPT, [namesOf(this.#prefix, key).receipt], args);
    return { kind: wordOf(reply, ['ok', 'fenced']) };
  }

  async #settle(
    key: ToolCallReceiptKey,
    { attempt, token }: ReceiptClaim,
    status: 'completed' | 'failed' | 'ambiguous' | 'rejected',
    text: string,
  ): Promise<SettleOutcome> {
    const kind = status === 'completed' ? 'completed' : 'failed';
    const args = [attemptText(attempt), encodeStoredText(token), status, encodeStoredText(text), kind];
    const reply = await this.#runner.run(SETTLE_SCRIPT, [namesOf(this.#prefix, key).receipt], args);
    return { kind: wordOf(reply, ['ok', 'already', 'fenced']) };
  }
}

/** What is not a number is no attempt's, so that it becomes one that never was granted. */
function attemptText(attempt: number): string {
  return String(typeof attempt === 'number' ? attempt : Number.MAX_SAFE_INTEGER);
}

function firstAttempt(reply: unknown): ClaimOutcome {
  if (reply !== 1 && reply !== '1') throw new RedisReplyError('a grant or a receipt');
  return { kind: 'execute', attempt: 1, steps: new Map(), ageMs: 0 };
}

/** The answer to a claim that was not granted, made of the row and the time that the script saw. */
function refusal(reply: readonly unknown[], request: ClaimRequest): ClaimOutcome {
  const row = rowOf(reply);
  const now = reply[9] === undefined ? row.leaseUntil : numberOf(reply[9]);
  const { outcome, row: written } = applyClaim(row, request, now);
  if (outcome.kind === 'execute' || written !== undefined)
    throw new RedisReplyError('a receipt that cannot be claimed');
  return outcome;
}

function journalOf(fields: readonly unknown[]): ReadonlyMap<string, string> {
  const texts = fields.map((field) => decodeStoredText(textOf(field)));
  return new Map(texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] as string]] : [])));
}
