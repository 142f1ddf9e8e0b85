/** A query as text: what of it is read, what it selects, which clauses it has. */

export type ReadQuery =
  | {
      readonly kind: 'select';
      readonly names: readonly string[];
      /** How many further names there were. */
      readonly leftOut: number;
    }
  | { readonly kind: 'words'; readonly text: string; readonly clauses: readonly string[] };

/** Words are text from a model: only their beginning is read. */
const MAX_QUERY_LENGTH = 512;
/** Names are counted and not cut: half a name is another name. */
const MAX_SELECTED = 32;
/** Models write `A or B`, `A + B`, `A, B` when they look for several things at once. */
const CLAUSE_BREAK = /\s+(?:or|and|then)\s+|[,;+&\n]|\s\/\s/i;

/** `select:name` and `select:name,name` ask for tools by name and nothing else. */
export function readQuery(query: string): ReadQuery {
  const selected = /^\s*select:(.*)$/is.exec(query)?.[1];
  if (selected === undefined) {
    const text = query.slice(0, MAX_QUERY_LENGTH).trim();
    return { kind: 'words', text, clauses: text.split(CLAUSE_BREAK) };
  }
  const names = [...new Set(selected.split(/[\s,]+/).filter((name) => name !== ''))];
  return { kind: 'select', names: names.slice(0, MAX_SELECTED), leftOut: Math.max(0, names.length - MAX_SELECTED) };
}
