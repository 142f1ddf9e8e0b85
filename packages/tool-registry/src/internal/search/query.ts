/** A query as text: what of it is read, what it selects, which clauses it has. */

export type ReadQuery =
  | { readonly kind: 'select'; readonly names: readonly string[] }
  | { readonly kind: 'words'; readonly text: string; readonly clauses: readonly string[] };

/** A query is text from a model: only its beginning is read. */
const MAX_QUERY_LENGTH = 512;
const MAX_SELECTED = 32;
/** Models write `A or B`, `A + B`, `A, B` when they look for several things at once. */
const CLAUSE_BREAK = /\s+(?:or|and|then)\s+|[,;+&\n]|\s\/\s/i;

/** `select:name` and `select:name,name` ask for tools by name and nothing else. */
export function readQuery(query: string): ReadQuery {
  const text = query.slice(0, MAX_QUERY_LENGTH).trim();
  const selected = /^select:(.*)$/is.exec(text)?.[1];
  if (selected === undefined) return { kind: 'words', text, clauses: text.split(CLAUSE_BREAK) };
  const names = selected.split(/[\s,]+/).filter((name) => name !== '');
  return { kind: 'select', names: [...new Set(names)].slice(0, MAX_SELECTED) };
}
