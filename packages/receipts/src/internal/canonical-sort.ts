/** Sorting property names by UTF-16 code units, the order of RFC 8785. */

/** Up to this many names an insertion sort is the fastest. */
const FEW_NAMES = 12;

/** The names in order: the same array when it is sorted already, else a new one. Names are unique. */
export function sortNames(names: readonly string[]): readonly string[] {
  if (isSorted(names)) return names;
  const sorted = names.slice();
  // Twice the depth of even splits, and some for few names; splits worse than that go to the native sort.
  sortRange(sorted, 0, sorted.length - 1, 0, 2 * (32 - Math.clz32(sorted.length)));
  return sorted;
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) {
    if ((names[index - 1] as string) > (names[index] as string)) return false;
  }
  return true;
}

/**
 * Radix quicksort: splits by one code unit into smaller, equal and greater, and goes on with the next unit among the
 * equal ones. It looks at each unit about once, where comparing whole names would read common beginnings again and
 * again. `splits` is what bad splits may still use up.
 */
function sortRange(names: string[], first: number, last: number, unit: number, splits: number): void {
  while (last - first >= FEW_NAMES) {
    if (splits === 0) {
      sortNatively(names, first, last);
      return;
    }
    const pivot = unitAt(names[(first + last) >> 1] as string, unit);
    let smaller = first;
    let greater = last;
    for (let index = first; index <= greater; ) {
      const name = names[index] as string;
      const order = unitAt(name, unit) - pivot;
      if (order === 0) index++;
      else if (order < 0) {
        names[index++] = names[smaller] as string;
        names[smaller++] = name;
      } else {
        names[index] = names[greater] as string;
        names[greater--] = name;
      }
    }
    sortRange(names, first, smaller - 1, unit, splits - 1);
    sortRange(names, greater + 1, last, unit, splits - 1);
    first = smaller;
    last = greater;
    unit++;
  }
  insertionSort(names, first, last);
}

/** The code unit, and -1 after the end: a name stands before its continuations. */
function unitAt(name: string, unit: number): number {
  return unit < name.length ? name.charCodeAt(unit) : -1;
}

function insertionSort(names: string[], first: number, last: number): void {
  for (let end = first + 1; end <= last; end++) {
    const name = names[end] as string;
    let place = end;
    while (place > first && (names[place - 1] as string) > name) {
      names[place] = names[place - 1] as string;
      place--;
    }
    names[place] = name;
  }
}

function sortNatively(names: string[], first: number, last: number): void {
  const sorted = names.slice(first, last + 1).sort();
  for (let index = 0; index < sorted.length; index++) names[first + index] = sorted[index] as string;
}
