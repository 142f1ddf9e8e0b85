/** Checking a call's arguments against a LangChain tool's schema before anything is claimed or run. */

import { isPlainObject } from '@holdfast/kernel';
import { Validator } from '@langchain/core/utils/json_schema';
import { interopSafeParseAsync, isInteropZodSchema } from '@langchain/core/utils/types';

/** At most this many problems are told. */
const PROBLEM_LIMIT = 10;

/** What is wrong with the arguments, one problem a line, or `undefined` when they fit or the tool has no schema. */
export async function argumentProblem(tool: unknown, args: unknown): Promise<string | undefined> {
  const problems = await argumentIssues((tool as { schema?: unknown } | undefined)?.schema, args);
  if (problems.length === 0) return undefined;
  const shown = problems.slice(0, PROBLEM_LIMIT).map(({ path, message }) => `- ${path}: ${message}`);
  if (problems.length > shown.length) shown.push(`- and ${problems.length - shown.length} more`);
  return shown.join('\n');
}

/** One thing that is wrong with a call's arguments. */
export interface ArgumentIssue {
  readonly path: string;
  readonly message: string;
}

/** Checks arguments as LangChain will, by a zod schema of any version or by JSON Schema. */
export async function argumentIssues(schema: unknown, args: unknown): Promise<ArgumentIssue[]> {
  if (isInteropZodSchema(schema)) {
    const parsed = await interopSafeParseAsync(schema, args);
    return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => ({ path: pathText(path), message }));
  }
  if (!isPlainObject(schema)) return [];
  const { valid, errors } = new Validator(schema).validate(args);
  return valid ? [] : errors.map(({ instanceLocation, error }) => ({ path: instanceLocation, message: error }));
}

function pathText(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '(root)' : path.map(String).join('.');
}
