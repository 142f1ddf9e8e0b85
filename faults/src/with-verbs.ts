/** A store of which some verbs are another's. */

import type { ReceiptStore } from '@holdfast/receipts';

export function withVerbs(store: ReceiptStore, verbs: Partial<ReceiptStore>): ReceiptStore {
  return new Proxy(store, {
    get(target, name) {
      const own = Reflect.get(target, name);
      return Reflect.get(verbs, name) ?? (typeof own === 'function' ? own.bind(target) : own);
    },
  });
}
