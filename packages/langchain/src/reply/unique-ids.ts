/** Ids that tell every call of a run from every other. */

/**
 * Gives each call an id that is not empty, not another call's, and not among `used`. A good id stays as it is; a
 * missing or repeated one is made from what there is and a number, so the same reply always gets the same ids.
 */
export function uniqueIds(ids: readonly (string | undefined)[], used: Iterable<string>): string[] {
  const taken = new Set(used);
  // An id that the model gave goes to the first call that has it, before any is made up.
  const kept = ids.map((id) => {
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  });
  return kept.map((id, index) => {
    if (id !== undefined) return id;
    const base = ids[index] ?? 'call';
    let number = 1;
    while (taken.has(`${base}_${number}`)) number += 1;
    taken.add(`${base}_${number}`);
    return `${base}_${number}`;
  });
}
