/** `@holdfast/receipts/store`: what the author of a store builds on. */

export { ReceiptOptionError } from './execute-once-errors.js';
export { detailReceipt, type ReceiptRow, receiptStatus, summarizeReceipt } from './receipt-row.js';
export {
  applyClaim,
  applyComplete,
  applyFail,
  applyRenew,
  applyResolve,
  type ClaimAnswer,
  type ReceiptTransition,
} from './receipt-transition.js';
export { checkClaimRequest, checkCollectPolicy, checkLeaseMs, checkReceiptFilter } from './store-requests.js';
export { decodeStoredText, encodeStoredText } from './stored-text.js';
