/**
 * Lists the strings with placeholders in a tree of arguments, and writes changed strings into a copy of it.
 *
 * The tree is walked level by level over a list instead of by recursion, so depth costs no stack, and each property
 * is read once. Arrays and plain objects are entered; class instances, dates and maps are values like numbers.
 */

import { setOwn } from '@holdfast/kernel';
import { isContainer, MAX_INDEXED_LENGTH } from './containers.js';
import { copyContainer } from './copy-container.js';
import { nextPlaceholder, type Placeholder } from './placeholder.js';

/** A string with a placeholder, its place, and what takes that place; `undefined` when it stays. */
export interface StringEntry {
  readonly text: string;
  readonly first: Placeholder;
  readonly parent: ContainerEntry;
  readonly key: string | number;
  change: unknown;
}

/** An array or a plain object, and its place. Its own entries stand together in the list. */
interface ContainerEntry {
  readonly text?: never;
  readonly container: object;
  readonly parent: ContainerEntry | undefined;
  readonly key: string | number;
  readonly depth: number;
  /** The container is listed elsewhere already (a cycle or a shared part) and has no entries here. */
  readonly isLink: boolean;
  start: number;
  end: number;
  /** Its copy, once something inside it changes. */
  copy: object | undefined;
}

/** Cycles are found among the ancestors up to this depth and size; beyond, a set remembers every container. */
const MAX_DEPTH_WITHOUT_SET = 64;
const MAX_CONTAINERS_WITHOUT_SET = 4096;

/** The strings with placeholders of one tree of arguments. */
export class ArgumentStrings {
  readonly #root: ContainerEntry;
  readonly #entries: Array<StringEntry | ContainerEntry> = [];
  /** The containers among the entries and the root, level by level. */
  readonly #containers: ContainerEntry[];
  #seen: Set<object> | undefined;
  #characters = 0;
  /** The strings with placeholders, as the walk came upon them. */
  readonly #strings: StringEntry[] = [];
  #isInOneContainer = true;

  constructor(root: object) {
    this.#root = containerEntry(root, undefined, '', false);
    this.#containers = [this.#root];
    for (let next = 0; next < this.#containers.length; next++) {
      const entry = this.#containers[next] as ContainerEntry;
      if (!entry.isLink) this.#readContainer(entry);
    }
  }

  /** UTF-16 code units of all string values in the tree, with or without placeholders. */
  get characters(): number {
    return this.#characters;
  }

  /** The strings with placeholders, in the order in which they stand in the document. */
  inDocumentOrder(): StringEntry[] {
    // Level by level is the order of the document already where all of them stand side by side.
    if (this.#isInOneContainer) return this.#strings;
    const strings: StringEntry[] = [];
    const open: Array<StringEntry | ContainerEntry> = [this.#root];
    for (let entry = open.pop(); entry; entry = open.pop()) {
      if (entry.text !== undefined) {
        strings.push(entry);
        continue;
      }
      for (let at = entry.end - 1; at >= entry.start; at--) {
        const child = this.#entries[at];
        if (child) open.push(child);
      }
    }
    return strings;
  }

  /** A copy of the tree with the changes of its strings. Containers without a change inside are shared with the input. */
  withChanges(changed: readonly StringEntry[]): unknown {
    const copies = this.#copyAround(changed);
    for (const { parent, key, change } of changed) setOwn(parent.copy as object, key, change);
    for (const { parent, key, copy, container } of this.#containers) {
      const target = parent?.copy;
      const inside = copy ?? copies.get(container);
      if (target && inside) setOwn(target, key, inside);
    }
    return this.#root.copy;
  }

  #readContainer(entry: ContainerEntry): void {
    const { container } = entry;
    entry.start = this.#entries.length;
    if (Array.isArray(container) && container.length <= MAX_INDEXED_LENGTH) {
      for (let index = 0; index < container.length; index++) this.#readValue(entry, index, container[index]);
    } else {
      for (const key in container) this.#readValue(entry, key, (container as Record<string, unknown>)[key]);
    }
    entry.end = this.#entries.length;
  }

  /** Keeps what matters. Own properties only: asked last, since few values get that far. */
  #readValue(parent: ContainerEntry, key: string | number, value: unknown): void {
    if (typeof value === 'string') {
      this.#characters += value.length;
      const first = nextPlaceholder(value, 0);
      if (!first || !Object.hasOwn(parent.container, key)) return;
      const entry = { text: value, first, parent, key, change: undefined };
      this.#entries.push(entry);
      this.#isInOneContainer &&= (this.#strings[0] ?? entry).parent === parent;
      this.#strings.push(entry);
    } else if (isContainer(value) && Object.hasOwn(parent.container, key)) {
      const entry = containerEntry(value, parent, key, this.#isListed(parent, value));
      this.#entries.push(entry);
      this.#containers.push(entry);
    }
  }

  #isListed(parent: ContainerEntry, value: object): boolean {
    if (!this.#seen) {
      if (parent.depth < MAX_DEPTH_WITHOUT_SET && this.#containers.length < MAX_CONTAINERS_WITHOUT_SET) {
        return isAncestor(parent, value);
      }
      this.#seen = new Set(this.#containers.map(({ container }) => container));
    }
    if (this.#seen.has(value)) return true;
    this.#seen.add(value);
    return false;
  }

  /** Copies every container that holds one of the strings, at whatever distance and through whatever link. */
  #copyAround(strings: Iterable<StringEntry>): Map<object, object> {
    const copies = new Map<object, object>();
    const links = this.#linksByTarget();
    const pending: ContainerEntry[] = [];
    for (const string of strings) {
      if (!string.parent.copy) pending.push(string.parent);
      for (let entry = pending.pop(); entry; entry = pending.pop()) {
        if (entry.copy) continue;
        // A part that is listed twice has one copy.
        entry.copy = copies.get(entry.container) ?? copyContainer(entry.container);
        copies.set(entry.container, entry.copy);
        if (entry.parent) pending.push(entry.parent);
        const holders = links.get(entry.container);
        for (const holder of holders ?? []) pending.push(holder);
      }
    }
    return copies;
  }

  /** For each container that is listed again somewhere: the entries that hold it there. */
  #linksByTarget(): Map<object, ContainerEntry[]> {
    const links = new Map<object, ContainerEntry[]>();
    for (const entry of this.#containers) {
      if (!entry.isLink || !entry.parent) continue;
      const holders = links.get(entry.container);
      if (holders) holders.push(entry.parent);
      else links.set(entry.container, [entry.parent]);
    }
    return links;
  }
}

/** The names and positions that lead to a string from the root. A part that is listed twice has the path of the first. */
export function pathOf({ key, parent }: StringEntry): Array<string | number> {
  const path = [key];
  for (let entry = parent; entry.parent; entry = entry.parent) path.push(entry.key);
  return path.reverse();
}

function containerEntry(
  container: object,
  parent: ContainerEntry | undefined,
  key: string | number,
  isLink: boolean,
): ContainerEntry {
  return { container, parent, key, depth: parent ? parent.depth + 1 : 0, isLink, start: 0, end: 0, copy: undefined };
}

function isAncestor(from: ContainerEntry, value: object): boolean {
  for (let entry: ContainerEntry | undefined = from; entry; entry = entry.parent) {
    if (entry.container === value) return true;
  }
  return false;
}
