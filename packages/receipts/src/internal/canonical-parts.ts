const LOOP = 40;
const UNSAFE = /["\\\x00-\x1f\ud800-\udfff]/;
export function quote(text: string): string {
  if (text.length > LOOP) {
    return text.length > 4096 || UNSAFE.test(text) ? JSON.stringify(text) : `"${text}"`;
  }
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x20 || c === 0x22 || c === 0x5c || (c >= 0xd800 && c <= 0xdfff)) return JSON.stringify(text);
  }
  return `"${text}"`;
}
export function sortKeys(keys: string[]): void {
  if (keys.length > 16) {
    keys.sort();
    return;
  }
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let j = i - 1;
    while (j >= 0 && (keys[j] as string) > key) {
      keys[j + 1] = keys[j] as string;
      j--;
    }
    keys[j + 1] = key;
  }
}
export function unbox(v: object): unknown {
  return v;
}
export function pathText(p: readonly (string | number)[]): string {
  return '$' + p.join('.');
}
