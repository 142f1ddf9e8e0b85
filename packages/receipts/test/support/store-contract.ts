/** What every store must do, as cases that any runner can run: a name, and a function that throws when it does not hold. */

import assert from 'node:assert/strict';
import type {
  ClaimOutcome,
  ClaimRequest,
  ReceiptClaim,
  ReceiptStore,
  ReceiptSummary,
  ToolCallReceiptKey,
} from '@holdfast/receipts';

/** An empty store on a clock that stands still until it is moved. */
export interface StoreUnderTest {
  readonly store: ReceiptStore;
  advance(ms: number): void;
}

export interface ContractCase {
  readonly name: string;
  run(open: () => StoreUnderTest): Promise<void>;
}

export const LEASE = 1_000;

export function keyOf(argsHash: string, tenantId = 'tenant'): ToolCallReceiptKey {
  return { tenantId, runId: 'run', toolName: 'send_email', argsHash };
}

export function request(token: string, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { effect: 'opaque', token, leaseMs: LEASE, maxAttempts: 3, ...more };
}

const KEY = keyOf('hash');
const resumable = { effect: 'resumable' } as const;

/** Claims and insists on a grant. */
export async function granted(
  store: ReceiptStore,
  token: string,
  more: Partial<ClaimRequest> = {},
  key = KEY,
): Promise<ReceiptClaim> {
  const outcome = await store.claim(key, request(token, more));
  assert.equal(outcome.kind, 'execute');
  return { attempt: (outcome as ClaimOutcome & { kind: 'execute' }).attempt, token };
}

async function claimKind(store: ReceiptStore, token: string, more: Partial<ClaimRequest> = {}): Promise<string> {
  return (await store.claim(KEY, request(token, more))).kind;
}

async function only(store: ReceiptStore): Promise<ReceiptSummary> {
  const { receipts } = await store.list();
  assert.equal(receipts.length, 1);
  return receipts[0] as ReceiptSummary;
}

/** Attempt 1 of a resumable effect whose lease ran out, and attempt 2 that took over. */
async function takenOver(open: () => StoreUnderTest) {
  const { store, advance } = open();
  const zombie = await granted(store, 'a', resumable);
  advance(LEASE);
  const holder = await granted(store, 'b', resumable);
  return { store, advance, zombie, holder };
}

const ok = { kind: 'ok' };
const fenced = { kind: 'fenced' };
const already = { kind: 'already' };

const claims: ContractCase[] = [
  {
    name: 'grants attempt 1 of an unknown key, with an empty journal',
    async run(open) {
      assert.deepEqual(await open().store.claim(KEY, request('a')), { kind: 'execute', attempt: 1, steps: new Map() });
    },
  },
  {
    name: 'of two claims in the same moment grants one (R1)',
    async run(open) {
      const { store } = open();
      const outcomes = await Promise.all([store.claim(KEY, request('a')), store.claim(KEY, request('b'))]);
      assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['execute', 'wait']);
    },
  },
  {
    name: 'of fifty claims in the same moment grants one',
    async run(open) {
      const { store } = open();
      const tokens = Array.from({ length: 50 }, (_, index) => `token ${index}`);
      const kinds = await Promise.all(tokens.map((token) => claimKind(store, token)));
      assert.equal(kinds.filter((kind) => kind === 'execute').length, 1);
      assert.equal(kinds.filter((kind) => kind === 'wait').length, 49);
    },
  },
  {
    name: 'waits for a live lease to its last millisecond, and says how long',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', resumable);
      advance(LEASE - 1);
      const outcome = await store.claim(KEY, request('b', resumable));
      assert.equal(outcome.kind, 'wait');
      const { remainingMs, attempt, reason } = outcome as ClaimOutcome & { kind: 'wait' };
      assert.deepEqual([remainingMs, attempt], [1, 1]);
      assert.notEqual(reason, '');
      advance(1);
      assert.equal(await claimKind(store, 'b', resumable), 'execute');
    },
  },
  {
    name: 'waits for a live attempt whatever the attempt limit says',
    async run(open) {
      const { store } = open();
      await granted(store, 'a', { maxAttempts: 1 });
      assert.equal(await claimKind(store, 'b', { maxAttempts: 1 }), 'wait');
    },
  },
  {
    name: 'takes over an expired resumable attempt under the next number, once (R3)',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', resumable);
      advance(LEASE);
      const outcomes = await Promise.all([
        store.claim(KEY, request('b', resumable)),
        store.claim(KEY, request('c', resumable)),
      ]);
      const grants = outcomes.filter(({ kind }) => kind === 'execute');
      assert.deepEqual(grants, [{ kind: 'execute', attempt: 2, steps: new Map() }]);
    },
  },
  {
    name: 'calls an expired opaque attempt ambiguous, each time it is asked',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      for (const token of ['b', 'c', 'd']) {
        const outcome = await store.claim(KEY, request(token));
        assert.equal(outcome.kind, 'ambiguous');
        const { attempt, reason } = outcome as ClaimOutcome & { kind: 'ambiguous' };
        assert.equal(attempt, 1);
        assert.notEqual(reason, '');
      }
    },
  },
  {
    name: 'never takes over an expired attempt when either side is opaque',
    async run(open) {
      const one = open();
      await granted(one.store, 'a');
      one.advance(LEASE);
      assert.equal(await claimKind(one.store, 'b', resumable), 'ambiguous');
      const other = open();
      await granted(other.store, 'a', resumable);
      other.advance(LEASE);
      assert.equal(await claimKind(other.store, 'b'), 'ambiguous');
    },
  },
  {
    name: 'finds its own live attempt again when the answer was lost, with a fresh lease (R7)',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      advance(LEASE - 1);
      assert.deepEqual(await granted(store, 'a'), claim);
      advance(LEASE - 1);
      assert.equal(await claimKind(store, 'b'), 'wait');
    },
  },
  {
    name: 'finds its own attempt again after the lease ran out, with its journal',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      await store.step(KEY, claim, LEASE, 'one', '1');
      advance(LEASE * 5);
      assert.deepEqual(await store.claim(KEY, request('a')), {
        kind: 'execute',
        attempt: 1,
        steps: new Map([['one', '1']]),
      });
      assert.equal(await claimKind(store, 'b'), 'wait');
    },
  },
  {
    name: 'answers stale to the token of a failed attempt, and grants nothing (R9)',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      await store.fail(KEY, claim, { kind: 'clean', error: 'no' });
      assert.deepEqual(await store.claim(KEY, request('a')), { kind: 'stale', attempt: 1 });
      assert.equal((await only(store)).status, 'failed');
      assert.equal((await granted(store, 'b')).attempt, 2);
    },
  },
  {
    name: 'counts crashes towards the attempt limit',
    async run(open) {
      const { store, advance } = open();
      for (const token of ['a', 'b', 'c']) {
        await granted(store, token, resumable);
        advance(LEASE);
      }
      assert.deepEqual(await store.claim(KEY, request('d', resumable)), { kind: 'exhausted', attempts: 3 });
      assert.equal((await granted(store, 'd', { ...resumable, maxAttempts: 4 })).attempt, 4);
    },
  },
  {
    name: 'counts failures towards the attempt limit, and shows the last error',
    async run(open) {
      const { store } = open();
      for (const token of ['a', 'b']) {
        await store.fail(KEY, await granted(store, token), { kind: 'clean', error: `no ${token}` });
      }
      assert.deepEqual(await store.claim(KEY, request('c', { maxAttempts: 2 })), {
        kind: 'exhausted',
        attempts: 2,
        error: 'no b',
      });
    },
  },
  {
    name: 'keeps tenants, runs, tools and arguments apart',
    async run(open) {
      const { store } = open();
      const keys: ToolCallReceiptKey[] = [
        KEY,
        { ...KEY, tenantId: 'other' },
        { ...KEY, runId: 'other' },
        { ...KEY, toolName: 'other' },
        { ...KEY, argsHash: 'other' },
        { ...KEY, tenantId: 'tenant\u0000' },
        { ...KEY, tenantId: 'tenant\ud800' },
        { ...KEY, tenantId: 'tenant\ufffd' },
        { ...KEY, tenantId: '\\json:"x"' },
        { ...KEY, tenantId: '' },
      ];
      for (const [index, key] of keys.entries()) await granted(store, `token ${index}`, {}, key);
      const { receipts } = await store.list();
      const texts = (list: readonly ToolCallReceiptKey[]) => list.map((key) => JSON.stringify(key)).sort();
      assert.deepEqual(texts(receipts.map(({ key }) => key)), texts(keys));
    },
  },
  {
    name: 'refuses requests that it could not keep',
    async run(open) {
      const { store } = open();
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.claim(KEY, request('')), refused);
      await assert.rejects(store.claim(KEY, request('a', { leaseMs: Number.NaN })), refused);
      await assert.rejects(store.claim(KEY, request('a', { leaseMs: 0 })), refused);
      await assert.rejects(store.claim(KEY, request('a', { leaseMs: 86_400_001 })), refused);
      await assert.rejects(store.claim(KEY, request('a', { maxAttempts: 0 })), refused);
      await assert.rejects(store.claim(KEY, request('a', { effect: 'other' as 'opaque' })), refused);
      const { argsHash: _, ...partial } = KEY;
      await assert.rejects(store.claim(partial as ToolCallReceiptKey, request('a')), {
        code: 'ERR_HOLDFAST_RECEIPT_KEY',
      });
      assert.deepEqual(await store.list(), { receipts: [] });
    },
  },
];

const settling: ContractCase[] = [
  {
    name: 'replays the recorded result',
    async run(open) {
      const { store, advance } = open();
      assert.deepEqual(await store.complete(KEY, await granted(store, 'a'), 'done'), ok);
      advance(LEASE * 10);
      for (const token of ['a', 'b']) {
        assert.deepEqual(await store.claim(KEY, request(token)), { kind: 'replay', attempt: 1, result: 'done' });
      }
    },
  },
  {
    name: 'gives texts back unit by unit',
    async run(open) {
      const texts = [
        '',
        'plain',
        '\u0000',
        'a\u0000b',
        '\ud800',
        '\udc00\ud800',
        '😀',
        '\\json:"x"',
        "'; DROP TABLE",
        '\ufeff',
      ];
      for (const text of texts) {
        const { store } = open();
        const claim = await granted(store, `token ${text}`, resumable);
        await store.step(KEY, claim, LEASE, `name ${text}`, text);
        await store.fail(KEY, claim, { kind: 'clean', error: text });
        assert.equal((await only(store)).error, text);
        const next = await granted(store, `next ${text}`, resumable);
        const { steps } = (await store.claim(KEY, request(`next ${text}`, resumable))) as ClaimOutcome & {
          kind: 'execute';
        };
        assert.deepEqual([...steps], [[`name ${text}`, text]]);
        await store.complete(KEY, next, text);
        assert.deepEqual(await store.claim(KEY, request('c')), { kind: 'replay', attempt: 2, result: text });
      }
    },
  },
  {
    name: 'answers a repeated complete with already, and keeps the first result (R8)',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      await store.complete(KEY, claim, 'first');
      assert.deepEqual(await store.complete(KEY, claim, 'second'), already);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'replay', attempt: 1, result: 'first' });
    },
  },
  {
    name: 'answers a repeated fail with already',
    async run(open) {
      for (const kind of ['clean', 'unknown', 'terminal'] as const) {
        const { store } = open();
        const claim = await granted(store, 'a');
        assert.deepEqual(await store.fail(KEY, claim, { kind, error: 'no' }), ok);
        assert.deepEqual(await store.fail(KEY, claim, { kind, error: 'no' }), already);
      }
    },
  },
  {
    name: 'does not let an attempt change its mind',
    async run(open) {
      const one = open();
      const failed = await granted(one.store, 'a');
      await one.store.fail(KEY, failed, { kind: 'clean', error: 'no' });
      assert.deepEqual(await one.store.complete(KEY, failed, 'done'), fenced);
      assert.deepEqual(await one.store.fail(KEY, failed, { kind: 'terminal', error: 'no' }), fenced);
      assert.equal(await claimKind(one.store, 'b'), 'execute');
      const other = open();
      const completed = await granted(other.store, 'a');
      await other.store.complete(KEY, completed, 'done');
      assert.deepEqual(await other.store.fail(KEY, completed, { kind: 'clean', error: 'no' }), fenced);
      assert.equal(await claimKind(other.store, 'b'), 'replay');
    },
  },
  {
    name: 'executes again after a clean failure',
    async run(open) {
      for (const effect of ['opaque', 'resumable'] as const) {
        const { store } = open();
        await store.fail(KEY, await granted(store, 'a', { effect }), { kind: 'clean', error: 'no' });
        assert.equal((await granted(store, 'b', { effect })).attempt, 2);
      }
    },
  },
  {
    name: 'stays ambiguous after an unknown failure, resumable or not, and shows the error',
    async run(open) {
      for (const effect of ['opaque', 'resumable'] as const) {
        const { store } = open();
        await store.fail(KEY, await granted(store, 'a', { effect }), { kind: 'unknown', error: 'timeout' });
        const outcome = await store.claim(KEY, request('b', { effect }));
        assert.equal(outcome.kind, 'ambiguous');
        assert.equal((outcome as ClaimOutcome & { kind: 'ambiguous' }).error, 'timeout');
      }
    },
  },
  {
    name: 'rejects for ever after a terminal failure',
    async run(open) {
      const { store, advance } = open();
      await store.fail(KEY, await granted(store, 'a'), { kind: 'terminal', error: 'card declined' });
      advance(LEASE * 10);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'rejected', attempt: 1, error: 'card declined' });
    },
  },
  {
    name: 'refuses failures and results that it could not keep',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.fail(KEY, claim, { kind: 'other' as 'clean', error: '' }), refused);
      await assert.rejects(store.fail(KEY, claim, { kind: 'clean', error: undefined as unknown as string }), refused);
      await assert.rejects(store.complete(KEY, claim, 1 as unknown as string), refused);
      assert.equal((await only(store)).status, 'running');
    },
  },
];

const fencing: ContractCase[] = [
  {
    name: 'fences complete, fail, renew and step of an attempt that was taken over (R4, R5, R15)',
    async run(open) {
      const { store, zombie, holder } = await takenOver(open);
      assert.deepEqual(await store.renew(KEY, zombie, LEASE), fenced);
      assert.deepEqual(await store.step(KEY, zombie, LEASE, 'one', '1'), fenced);
      assert.deepEqual(await store.complete(KEY, zombie, 'zombie'), fenced);
      assert.deepEqual(await store.fail(KEY, zombie, { kind: 'terminal', error: 'zombie' }), fenced);
      const again = await store.claim(KEY, request('b', resumable));
      assert.deepEqual(again, { kind: 'execute', attempt: 2, steps: new Map() });
      assert.deepEqual(await store.complete(KEY, holder, 'holder'), ok);
      assert.deepEqual(await store.claim(KEY, request('c')), { kind: 'replay', attempt: 2, result: 'holder' });
    },
  },
  {
    name: 'fences a writer with the right attempt and the wrong token, and the other way round',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a', resumable);
      for (const wrong of [
        { attempt: claim.attempt, token: 'b' },
        { attempt: claim.attempt + 1, token: 'a' },
      ]) {
        assert.deepEqual(await store.renew(KEY, wrong, LEASE), fenced);
        assert.deepEqual(await store.step(KEY, wrong, LEASE, 'one', '1'), fenced);
        assert.deepEqual(await store.complete(KEY, wrong, 'x'), fenced);
        assert.deepEqual(await store.fail(KEY, wrong, { kind: 'clean', error: 'x' }), fenced);
      }
      assert.deepEqual(await store.claim(KEY, request('a', resumable)), {
        kind: 'execute',
        attempt: 1,
        steps: new Map(),
      });
      assert.equal((await only(store)).evidence, undefined);
    },
  },
  {
    name: 'fences every write to a key that has no receipt, and creates none',
    async run(open) {
      const { store } = open();
      const claim = { attempt: 1, token: 'a' };
      assert.deepEqual(await store.renew(KEY, claim, LEASE), fenced);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', '1'), fenced);
      assert.deepEqual(await store.complete(KEY, claim, 'x'), fenced);
      assert.deepEqual(await store.fail(KEY, claim, { kind: 'clean', error: 'x' }), fenced);
      assert.deepEqual(await store.resolve(KEY, 1, { kind: 'did-not-happen' }), fenced);
      assert.deepEqual(await store.list(), { receipts: [] });
    },
  },
  {
    name: 'fences renewal and steps of a settled attempt',
    async run(open) {
      const { store } = open();
      const claim = await granted(store, 'a');
      await store.complete(KEY, claim, 'done');
      assert.deepEqual(await store.renew(KEY, claim, LEASE), fenced);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', '1'), fenced);
    },
  },
  {
    name: 'accepts the late result of an attempt that nobody took over, which heals it (R6)',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      advance(LEASE * 100);
      assert.equal(await claimKind(store, 'b'), 'ambiguous');
      assert.deepEqual(await store.complete(KEY, claim, 'late'), ok);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'replay', attempt: 1, result: 'late' });
    },
  },
  {
    name: 'keeps the late result of a fenced attempt as evidence',
    async run(open) {
      const { store, advance, zombie } = await takenOver(open);
      await store.fail(KEY, zombie, { kind: 'clean', error: 'first news' });
      assert.deepEqual((await only(store)).evidence, { attempt: 1, kind: 'failed', text: 'first news' });
      await store.complete(KEY, zombie, 'receipt 17');
      const evidence = { attempt: 1, kind: 'completed', text: 'receipt 17' };
      assert.deepEqual((await only(store)).evidence, evidence);
      await store.fail(KEY, zombie, { kind: 'clean', error: 'less' });
      assert.deepEqual((await only(store)).evidence, evidence);
      advance(LEASE);
      const outcome = await store.claim(KEY, request('c', { effect: 'opaque' }));
      assert.equal(outcome.kind, 'ambiguous');
      assert.deepEqual((outcome as ClaimOutcome & { kind: 'ambiguous' }).evidence, evidence);
      assert.equal((await granted(store, 'd', resumable)).attempt, 3);
      assert.deepEqual((await only(store)).evidence, evidence);
    },
  },
  {
    name: 'renews a lease from now on',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      advance(LEASE - 1);
      assert.deepEqual(await store.renew(KEY, claim, LEASE), ok);
      advance(LEASE - 1);
      assert.equal(await claimKind(store, 'b'), 'wait');
      advance(1);
      assert.equal(await claimKind(store, 'b'), 'ambiguous');
      assert.deepEqual(await store.renew(KEY, claim, LEASE), ok);
      assert.equal(await claimKind(store, 'b'), 'wait');
      await assert.rejects(store.renew(KEY, claim, Number.NaN), { code: 'ERR_HOLDFAST_RECEIPT_OPTION' });
    },
  },
  {
    name: 'renews the lease with every step, and keeps the first entry of a name',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a', resumable);
      advance(LEASE - 1);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', '1'), ok);
      assert.deepEqual(await store.step(KEY, claim, LEASE, '__proto__', '2'), ok);
      assert.deepEqual(await store.step(KEY, claim, LEASE, 'one', 'other'), ok);
      advance(LEASE - 1);
      assert.equal(await claimKind(store, 'b', resumable), 'wait');
      advance(1);
      assert.deepEqual(await store.claim(KEY, request('b', resumable)), {
        kind: 'execute',
        attempt: 2,
        steps: new Map([
          ['__proto__', '2'],
          ['one', '1'],
        ]),
      });
    },
  },
];

const resolving: ContractCase[] = [
  {
    name: 'settles an ambiguous call by each verdict, stored or derived',
    async run(open) {
      for (const reported of [true, false]) {
        for (const verdict of ['happened', 'did-not-happen', 'give-up'] as const) {
          const { store, advance } = open();
          const claim = await granted(store, 'a');
          if (reported) await store.fail(KEY, claim, { kind: 'unknown', error: 'timeout' });
          else advance(LEASE);
          const said = { kind: verdict, result: 'seen in the ledger', error: 'stop' };
          assert.deepEqual(await store.resolve(KEY, 1, said), ok);
          const outcome = await store.claim(KEY, request('b'));
          const expected = {
            happened: { kind: 'replay', attempt: 1, result: 'seen in the ledger' },
            'did-not-happen': { kind: 'execute', attempt: 2, steps: new Map() },
            'give-up': { kind: 'rejected', attempt: 1, error: 'stop' },
          };
          assert.deepEqual(outcome, expected[verdict]);
        }
      }
    },
  },
  {
    name: 'settles an abandoned resumable attempt too',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', resumable);
      advance(LEASE);
      assert.deepEqual(await store.resolve(KEY, 1, { kind: 'give-up', error: 'stop' }), ok);
      assert.equal(await claimKind(store, 'b', resumable), 'rejected');
    },
  },
  {
    name: 'does not resolve a live, completed, failed or rejected call, or another attempt',
    async run(open) {
      const live = open();
      const claim = await granted(live.store, 'a');
      assert.deepEqual(await live.store.resolve(KEY, 1, { kind: 'did-not-happen' }), fenced);
      live.advance(LEASE);
      assert.deepEqual(await live.store.resolve(KEY, 2, { kind: 'did-not-happen' }), fenced);
      assert.deepEqual(await live.store.resolve(KEY, 0, { kind: 'did-not-happen' }), fenced);
      await live.store.complete(KEY, claim, 'done');
      assert.deepEqual(await live.store.resolve(KEY, 1, { kind: 'happened', result: 'x' }), fenced);
      assert.deepEqual(await live.store.claim(KEY, request('b')), { kind: 'replay', attempt: 1, result: 'done' });
      for (const kind of ['clean', 'terminal'] as const) {
        const { store } = open();
        await store.fail(KEY, await granted(store, 'a'), { kind, error: 'no' });
        assert.deepEqual(await store.resolve(KEY, 1, { kind: 'happened', result: 'x' }), fenced);
      }
    },
  },
  {
    name: 'of a verdict and a zombie lets the first win, and keeps the other as evidence (R10)',
    async run(open) {
      for (const verdict of [
        { kind: 'did-not-happen' },
        { kind: 'happened', result: 'human' },
        { kind: 'give-up', error: 'human' },
      ] as const) {
        const { store, advance } = open();
        const zombie = await granted(store, 'a');
        advance(LEASE);
        await store.resolve(KEY, 1, verdict);
        assert.deepEqual(await store.complete(KEY, zombie, 'zombie'), fenced);
        const { evidence, status } = await only(store);
        assert.deepEqual(evidence, { attempt: 1, kind: 'completed', text: 'zombie' });
        assert.equal(
          status,
          { 'did-not-happen': 'failed', happened: 'completed', 'give-up': 'rejected' }[verdict.kind],
        );
        assert.deepEqual(await store.renew(KEY, zombie, LEASE), fenced);
      }
    },
  },
  {
    name: 'of two verdicts lets the first win (R11)',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      const verdicts = [{ kind: 'did-not-happen' }, { kind: 'happened', result: 'x' }] as const;
      const outcomes = await Promise.all(verdicts.map((verdict) => store.resolve(KEY, 1, verdict)));
      assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['fenced', 'ok']);
    },
  },
  {
    name: 'does not apply a late verdict to a newer attempt (R12)',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      await store.resolve(KEY, 1, { kind: 'did-not-happen' });
      await granted(store, 'b');
      advance(LEASE);
      assert.deepEqual(await store.resolve(KEY, 1, { kind: 'did-not-happen' }), fenced);
      assert.equal(await claimKind(store, 'c'), 'ambiguous');
    },
  },
  {
    name: 'answers stale to the token of the attempt that was said not to have happened',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      await store.resolve(KEY, 1, { kind: 'did-not-happen' });
      assert.equal(await claimKind(store, 'a'), 'stale');
    },
  },
  {
    name: 'refuses verdicts that it could not keep',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a');
      advance(LEASE);
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.resolve(KEY, 1, { kind: 'maybe' as 'did-not-happen' }), refused);
      await assert.rejects(
        store.resolve(KEY, 1, { kind: 'happened' } as { kind: 'happened'; result: string }),
        refused,
      );
      assert.equal(await claimKind(store, 'b'), 'ambiguous');
    },
  },
];

/** One receipt in each state; the hash of each is its status. */
async function oneOfEach({ store, advance }: StoreUnderTest): Promise<void> {
  const claim = (status: string, more: Partial<ClaimRequest> = {}) => granted(store, status, more, keyOf(status));
  await store.complete(keyOf('gone'), await claim('gone'), 'old');
  advance(10 * LEASE);
  await store.collect({ dropResultsAfterMs: LEASE, removeKeysAfterMs: 100 * LEASE });
  await claim('expired', resumable);
  await claim('abandoned');
  advance(LEASE);
  await store.fail(keyOf('ambiguous'), await claim('ambiguous'), { kind: 'unknown', error: 'timeout' });
  await store.fail(keyOf('failed'), await claim('failed'), { kind: 'clean', error: 'no' });
  await store.fail(keyOf('rejected'), await claim('rejected'), { kind: 'terminal', error: 'never' });
  await store.complete(keyOf('completed'), await claim('completed'), 'done');
  await claim('running');
}

const overview: ContractCase[] = [
  {
    name: 'lists receipts by the state they are in',
    async run(open) {
      const opened = open();
      const { store, advance } = opened;
      await oneOfEach(opened);
      const hashes = async (status: ReceiptSummary['status']) =>
        (await store.list({ status })).receipts.map(({ key }) => key.argsHash).sort();
      for (const status of ['expired', 'running', 'completed', 'gone', 'failed', 'rejected'] as const) {
        assert.deepEqual(await hashes(status), [status]);
      }
      assert.deepEqual(await hashes('ambiguous'), ['abandoned', 'ambiguous']);
      advance(LEASE);
      assert.deepEqual(await hashes('running'), []);
      assert.deepEqual(await hashes('ambiguous'), ['abandoned', 'ambiguous', 'running']);
    },
  },
  {
    name: 'says of a receipt what a person needs to resolve it',
    async run(open) {
      const { store, advance } = open();
      await granted(store, 'a', { effect: 'resumable' });
      advance(300);
      await store.fail(KEY, { attempt: 1, token: 'a' }, { kind: 'clean', error: 'no' });
      advance(200);
      await granted(store, 'b');
      advance(250);
      assert.deepEqual(await store.list(), {
        receipts: [
          {
            key: KEY,
            status: 'running',
            attempt: 2,
            effect: 'opaque',
            remainingMs: 750,
            ageMs: 750,
            sinceChangeMs: 250,
          },
        ],
      });
      await store.renew(KEY, { attempt: 2, token: 'b' }, LEASE);
      assert.equal((await only(store)).sinceChangeMs, 250);
      advance(2 * LEASE);
      assert.equal((await only(store)).remainingMs, 0);
    },
  },
  {
    name: 'lists by tenant and run, page by page, each receipt once',
    async run(open) {
      const { store } = open();
      for (let index = 0; index < 7; index++) {
        for (const tenant of ['t', 'u']) await granted(store, `${tenant}${index}`, {}, keyOf(String(index), tenant));
      }
      const seen: string[] = [];
      let after: string | undefined;
      let pages = 0;
      do {
        const page = await store.list({ tenantId: 't', runId: 'run', limit: 3, ...(after !== undefined && { after }) });
        seen.push(...page.receipts.map(({ key }) => `${key.tenantId}${key.argsHash}`));
        after = page.next;
        pages++;
      } while (after !== undefined);
      assert.deepEqual(seen.sort(), ['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
      assert.equal(pages, 3);
      assert.deepEqual(await store.list({ runId: 'other' }), { receipts: [] });
      assert.equal((await store.list({ tenantId: 't', limit: 7 })).next, undefined);
    },
  },
  {
    name: 'refuses filters that it does not understand',
    async run(open) {
      const { store } = open();
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.list({ limit: 0 }), refused);
      await assert.rejects(store.list({ limit: 1_001 }), refused);
      await assert.rejects(store.list({ after: 'x' }), refused);
      await assert.rejects(store.list({ status: 'toString' as 'running' }), refused);
    },
  },
];

const collecting: ContractCase[] = [
  {
    name: 'drops results first and keys later, by age since the last change',
    async run(open) {
      const { store, advance } = open();
      const claim = await granted(store, 'a');
      await store.step(KEY, claim, LEASE, 'one', '1');
      await store.complete(KEY, claim, 'done');
      const policy = { dropResultsAfterMs: 100, removeKeysAfterMs: 300 };
      const nothing = { resultsDropped: 0, keysRemoved: 0, more: false };
      advance(99);
      assert.deepEqual(await store.collect(policy), nothing);
      advance(1);
      assert.deepEqual(await store.collect(policy), { resultsDropped: 1, keysRemoved: 0, more: false });
      assert.deepEqual(await store.collect(policy), nothing);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'gone', attempt: 1 });
      assert.deepEqual(await store.complete(KEY, claim, 'again'), already);
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'gone', attempt: 1 });
      advance(199);
      assert.deepEqual(await store.collect(policy), nothing);
      advance(1);
      assert.deepEqual(await store.collect(policy), { resultsDropped: 0, keysRemoved: 1, more: false });
      assert.deepEqual(await store.claim(KEY, request('b')), { kind: 'execute', attempt: 1, steps: new Map() });
    },
  },
  {
    name: 'never touches running or ambiguous receipts, however old',
    async run(open) {
      const opened = open();
      const { store, advance } = opened;
      await oneOfEach(opened);
      advance(1_000 * LEASE);
      const outcome = await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
      assert.deepEqual(outcome, { resultsDropped: 0, keysRemoved: 4, more: false });
      const left = (await store.list()).receipts.map(({ key }) => key.argsHash).sort();
      assert.deepEqual(left, ['abandoned', 'ambiguous', 'expired', 'running']);
    },
  },
  {
    name: 'fences a zombie whose key was removed and claimed anew',
    async run(open) {
      const { store, advance } = open();
      const old = await granted(store, 'a');
      await store.complete(KEY, old, 'old');
      advance(1);
      await store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0 });
      await granted(store, 'b');
      assert.deepEqual(await store.complete(KEY, old, 'old'), fenced);
      assert.deepEqual(await store.renew(KEY, old, LEASE), fenced);
    },
  },
  {
    name: 'stops at the limit and says so',
    async run(open) {
      const { store, advance } = open();
      for (let index = 0; index < 5; index++) {
        const key = keyOf(String(index));
        await store.complete(key, await granted(store, `${index}`, {}, key), 'done');
      }
      advance(1);
      const policy = { dropResultsAfterMs: 0, removeKeysAfterMs: 0, limit: 3 };
      assert.deepEqual(await store.collect(policy), { resultsDropped: 0, keysRemoved: 3, more: true });
      assert.deepEqual(await store.collect(policy), { resultsDropped: 0, keysRemoved: 2, more: false });
    },
  },
  {
    name: 'refuses policies that would forget keys before results, or without an age',
    async run(open) {
      const { store } = open();
      const refused = { code: 'ERR_HOLDFAST_RECEIPT_OPTION' };
      await assert.rejects(store.collect({ dropResultsAfterMs: 2, removeKeysAfterMs: 1 }), refused);
      await assert.rejects(store.collect({ dropResultsAfterMs: Number.NaN, removeKeysAfterMs: 1 }), refused);
      await assert.rejects(store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: Number.NaN }), refused);
      await assert.rejects(store.collect({ dropResultsAfterMs: 0, removeKeysAfterMs: 0, limit: 0 }), refused);
    },
  },
];

/** The contract of a store, by group. */
export const STORE_CONTRACT: Readonly<Record<string, readonly ContractCase[]>> = {
  claims,
  settling,
  fencing,
  resolving,
  overview,
  collecting,
};
