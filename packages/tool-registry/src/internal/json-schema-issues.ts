/** The checker's findings, put into issues that a model can act on. */

import type { OutputUnit } from '@cfworker/json-schema';
import type { ToolInputIssue } from '../tool-definition.js';

/** Findings that only say that something further down is wrong, which is listed as well. */
const CONTAINERS: ReadonlySet<string> = new Set(
  (
    '$ref $recursiveRef properties patternProperties additionalProperties unevaluatedProperties items prefixItems ' +
    'additionalItems unevaluatedItems allOf dependentSchemas dependencies'
  ).split(' '),
);

/** Each thing that is wrong, once, in the order in which it was found. */
export function readIssues(findings: readonly OutputUnit[]): ToolInputIssue[] {
  const seen = new Set<string>();
  const issues: ToolInputIssue[] = [];
  const leaves = findings.filter(({ keyword, error }) => !CONTAINERS.has(keyword) || isDependency(keyword, error));
  for (const { instanceLocation, keyword, error } of leaves.length > 0 ? leaves : findings) {
    const issue = { message: keyword === 'false' ? 'is not allowed here' : error, path: readPath(instanceLocation) };
    const key = JSON.stringify([instanceLocation, issue.message]);
    if (!seen.has(key)) issues.push(issue);
    seen.add(key);
  }
  return issues;
}

/** A missing dependency has no finding of its own further down. */
function isDependency(keyword: string, error: string): boolean {
  return keyword === 'dependencies' && error.includes('does not have');
}

/** `#/a~1b/0` is the item 0 of the field `a/b`. */
function readPath(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
