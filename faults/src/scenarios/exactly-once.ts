/** What must hold where no worker was killed: every key executed once, and every other call got its result. */

import type { Books, Identity } from '../books.js';

export function exactlyOnce(
  { keys, calls, effects, ended, receipts }: Books,
  { busy }: { readonly busy: boolean },
): readonly Identity[] {
  const told = (kind: string) => ended.get(kind) ?? 0;
  return [
    { name: 'effects = keys', left: effects, right: keys },
    { name: 'calls executed = keys', left: told('executed'), right: keys },
    { name: 'receipts completed = keys', left: receipts.get('completed') ?? 0, right: keys },
    {
      name: 'executed + replayed + busy = calls',
      left: told('executed') + told('replayed') + (busy ? told('busy') : 0),
      right: calls,
    },
  ];
}
