/** A text, its scanner, and the strings in it that are read while it grows. */

import type { FieldPath } from '../field.js';
import { FoldedText } from './folded-text.js';
import { JsonScanner, type Recording, type ValueNode } from './json-scanner.js';
import { StringReader } from './json-string.js';

export class ScannedText {
  readonly raw: FoldedText;
  readonly scanner: JsonScanner;

  /** @param raw - a text that has come already; it is scanned once more. */
  constructor(maxDepth: number, recording: Recording, raw = new FoldedText()) {
    this.raw = raw;
    this.scanner = new JsonScanner(maxDepth, recording);
    if (raw.length > 0) this.scanner.push(raw.value);
  }

  /** The string at a path, once its value has begun. */
  findString(path: FieldPath): ValueNode | undefined {
    let node = this.scanner.root;
    if (typeof path === 'string') node = node?.kind === 'object' ? node.children?.get(path) : undefined;
    else for (const step of path) node = node?.children?.get(step);
    return node?.kind === 'string' ? node : undefined;
  }

  /** Decodes what a reader has not read yet of a string. */
  readOn(node: ValueNode, reader: StringReader): string {
    return node.end === undefined ? reader.readOpen(this.raw, this.scanner) : reader.readRest(this.raw, node.end - 1);
  }

  /** Where a string's characters end: before its closing quote, or before half an escape. */
  endOf(node: ValueNode): number {
    return node.end === undefined ? this.scanner.readTo : node.end - 1;
  }

  /** The decoded text of a string so far, as a rope. */
  textOf(node: ValueNode): string {
    node.shown ??= { reader: new StringReader(node.start + 1), text: new FoldedText() };
    const { reader, text } = node.shown;
    const piece = this.readOn(node, reader);
    if (piece !== '') text.add(piece);
    return text.value;
  }
}
