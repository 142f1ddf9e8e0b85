/** Checking a call's arguments against a LangChain tool's schema before anything is claimed or run. */

import { isPlainObject } from '@holdfast/kernel';
import { Validator } from '@langchain/core/utils/json_schema';
import { interopSafeParse, interopSafeParseAsync, isInteropZodSchema } from '@langchain/core/utils/types';

/** At most this many problems are told. */
const PROBLEM_LIMIT = 10;

/** One thing that is wrong with a call's arguments. */
export interface ArgumentIssue {
  readonly path: string;
  readonly message: string;
}

/** What is wrong with the arguments, one problem a line, or `undefined` when they fit or the tool has no schema. */
export async function argumentProblem(tool: unknown, args: unknown): Promise<string | undefined> {
  const schema = (tool as { schema?: unknown } | undefined)?.schema;
  // A zod schema may hold checks that only the asynchronous call runs.
  const issues = isInteropZodSchema(schema)
    ? zodIssues(await interopSafeParseAsync(schema, args))
    : argumentIssues(schema, args);
  if (issues.length === 0) return undefined;
  const shown = issues.slice(0, PROBLEM_LIMIT).map(({ path, message }) => `- ${path}: ${message}`);
  if (issues.length > shown.length) shown.push(`- and ${issues.length - shown.length} more`);
  return shown.join('\n');
}

/** Checks arguments as LangChain will, by a zod schema of any version or by JSON Schema, without waiting. */
export function argumentIssues(schema: unknown, args: unknown): ArgumentIssue[] {
  if (isInteropZodSchema(schema)) return zodIssues(interopSafeParse(schema, args));
  if (!isPlainObject(schema)) return [];
  const { valid, errors } = new Validator(schema).validate(args);
  return valid ? [] : errors.map(({ instanceLocation, error }) => ({ path: instanceLocation, message: error }));
}

function zodIssues(parsed: Awaited<ReturnType<typeof interopSafeParseAsync>>): ArgumentIssue[] {
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({
    path: path.length === 0 ? '(root)' : path.map(String).join('.'),
    message,
  }));
}
