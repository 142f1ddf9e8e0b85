/** The containers that are being written, from the outermost in: where we are, how deep, and whether in a circle. */

/** A property name or an array index. */
export type Key = string | number;

/** So many containers may be nested, arrays and objects together. */
export const MAX_DEPTH = 1_000;
/** Up to this depth every container is compared with all around it. */
const COMPARED_DEPTH = 64;

/** A stack of containers and of the key under which each stands in the one before; the first key is the root's. */
export class CanonicalPath {
  readonly #containers: object[] = [];
  readonly #keys: Key[] = [];

  /** Goes into a container under `key` of the innermost, unless it contains itself or lies too deep. */
  enter(container: object, key: Key): 'cycle' | 'depth' | undefined {
    if (this.#surrounds(container)) return 'cycle';
    if (this.#containers.length >= MAX_DEPTH) return 'depth';
    this.#containers.push(container);
    this.#keys.push(key);
    return undefined;
  }

  leave(): void {
    this.#containers.pop();
    this.#keys.pop();
  }

  /**
   * Beyond {@link COMPARED_DEPTH} it compares with two containers only, the parent and the last one at a depth that is a
   * power of two (Brent's way to find cycles), and so may go around a few times before it notices. {@link repeat} then
   * tells where the circle first closed.
   */
  #surrounds(container: object): boolean {
    const containers = this.#containers;
    const depth = containers.length;
    if (depth > COMPARED_DEPTH) {
      const milestone = 2 ** (31 - Math.clz32(depth)) - 1;
      return containers[milestone] === container || containers[depth - 1] === container;
    }
    for (let level = 0; level < depth; level++) if (containers[level] === container) return true;
    return false;
  }

  /** The keys from the root to the value under `key` in the innermost container. */
  to(key: Key): readonly Key[] {
    return [...this.#keys, key].slice(1);
  }

  /** The keys to the first container that stands within itself, `innermost` under `key` being the last to look at. */
  repeat(innermost: object | undefined, key: Key): readonly Key[] | undefined {
    const seen = new Set<object>();
    const keys = [...this.#keys, key];
    for (const [depth, container] of [...this.#containers, innermost].entries()) {
      if (container === undefined) continue;
      if (seen.has(container)) return keys.slice(1, depth + 1);
      seen.add(container);
    }
    return undefined;
  }
}
