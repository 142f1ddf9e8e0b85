/** `receipts show` */

import type { ReceiptStore } from '@holdfast/receipts';
import type { Arguments } from '../arguments.js';
import { EXIT, type ExitCode } from '../exit.js';
import { output } from '../output.js';
import { receiptJson } from '../receipt-json.js';
import { keyWords, parseKey } from '../receipt-key.js';
import { receiptText } from '../receipt-text.js';

export async function show(store: ReceiptStore, args: Arguments): Promise<ExitCode> {
  const key = parseKey(args.words);
  const receipt = await store.read(key);
  if (receipt === undefined) {
    if (args.flag('json')) output.json({ receipt: null });
    else output.say(`There is no receipt of ${keyWords(key)}.\n`);
    return EXIT.finding;
  }
  const asked = { result: args.flag('result'), steps: args.flag('steps') };
  if (args.flag('json')) output.json({ receipt: receiptJson(receipt, asked) });
  else output.print(receiptText(receipt, asked));
  return EXIT.ok;
}
