/** Small tables: columns as wide as what is in them, the last one free. */

/** A longer cell stands out of its column, and does not widen all the others. */
const WIDEST = 120;

/** Renders rows of visible texts under their headings; `indent` stands before each line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], indent = ''): string {
  const all = headings.length === 0 ? rows : [headings, ...rows];
  const widths = (all[0] ?? []).map((_, column) => widthOf(all.map((row) => row[column] ?? '')));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(pad(cell, widths[column] ?? 0))))
      .join('  ');
  return all.map((row) => `${indent}${line(row)}\n`).join('');
}

function widthOf(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(lengthOf).filter((length) => length <= WIDEST));
}

/** `padEnd` counts code units, and a column counts characters. */
function pad(cell: string, width: number): number {
  return width + cell.length - lengthOf(cell);
}

function lengthOf(cell: string): number {
  return [...cell].length;
}
