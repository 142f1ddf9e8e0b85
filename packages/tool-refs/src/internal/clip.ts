import { cutText } from '@holdfast/kernel';

/**
 * The first `limit` code units of a text, without half a surrogate pair, as a string of its own. A slice would keep
 * the whole text alive behind it in every engine.
 */
export function clipCopy(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return JSON.parse(JSON.stringify(cutText(text, limit))) as string;
}
