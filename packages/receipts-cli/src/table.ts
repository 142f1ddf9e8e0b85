/** Small tables: columns as wide as what is in them, the last one free. */

/** Renders rows of visible texts under their headings; `indent` stands before each line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], indent = ''): string {
  const all = headings.length === 0 ? rows : [headings, ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => lengthOf(row[column] ?? ''))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(pad(cell, widths[column] ?? 0))))
      .join('  ');
  return all.map((row) => `${indent}${line(row)}\n`).join('');
}

/** `padEnd` counts code units, and a column counts characters. */
function pad(cell: string, width: number): number {
  return width + cell.length - lengthOf(cell);
}

function lengthOf(cell: string): number {
  return [...cell].length;
}
