import { cutText } from '@holdfast/kernel';

/** The first `limit` code units of a text, without half a surrogate pair, as a string of its own. */
export function clipCopy(text: string, limit: number): string {
  return text.length <= limit ? text : ownCopy(cutText(text, limit));
}

/** The same text as a string of its own. A slice would keep the whole text alive behind it in every engine. */
export function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
