/** Names in SQL text: the host's schema, quoted, and the tables in it. */

import { ReceiptOptionError } from '@holdfast/receipts/store';

/** PostgreSQL cuts longer names without a word, and two schemas could become one. */
const MAX_NAME_BYTES = 63;

/** The tables and the functions of the store, each with its schema and ready for SQL text. */
export interface SqlNames {
  /** The quoted schema. */
  readonly schema: string;
  readonly receipts: string;
  readonly steps: string;
  readonly versions: string;
  readonly claim: string;
  readonly settle: string;
}

/**
 * @throws {ReceiptOptionError} `ERR_HOLDFAST_RECEIPT_OPTION` for a schema that PostgreSQL could not name.
 */
export function sqlNames(schema: string): SqlNames {
  const fits = typeof schema === 'string' && schema !== '' && !/[\0\p{Surrogate}]/u.test(schema);
  if (!fits || utf8Length(schema) > MAX_NAME_BYTES) {
    throw new ReceiptOptionError('schema', schema, `the name of a schema, of 1 to ${MAX_NAME_BYTES} bytes`);
  }
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  return {
    schema: quoted,
    receipts: `${quoted}.holdfast_receipts`,
    steps: `${quoted}.holdfast_receipt_steps`,
    versions: `${quoted}.holdfast_receipt_schema`,
    claim: `${quoted}.holdfast_receipt_claim`,
    settle: `${quoted}.holdfast_receipt_settle`,
  };
}

/** Any text as a literal, whatever `standard_conforming_strings` and `backslash_quote` say. */
export function sqlLiteral(text: string): string {
  return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
