import { field, shortenLine, type UnlocatedProblem } from '@understudy/kit';
import { compileValueSchema } from '@understudy/script';
import * as z from 'zod/mini';
import { defineCheck, givenAt } from './define-check.js';
import { agentText, type Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

/** Whether what was said is JSON of a given shape; a fence of ``` around it is not part of it. */
export function checkJsonOutput({ turn }: Observed, schema: object): CheckResult {
  const text = agentText(turn).trim();
  const problem = mismatch(unfenced(text), schema);
  return {
    name: 'JSON output',
    category: 'text',
    subject: { kind: 'text', words: [] },
    status: statusOf(problem === undefined),
    expected: `JSON that fits ${shortenLine(JSON.stringify(schema))}`,
    actual: problem ?? 'it fits',
    evidence: [text],
  };
}

function mismatch(text: string, schema: object): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `not JSON: ${shortenLine(text) || 'nothing was said'}`;
  }
  const problems = compileValueSchema(schema)(value);
  if (problems.length === 0) return undefined;
  return problems.map(({ path, message }) => `${path || 'the value'} ${message}`).join('; ');
}

function unfenced(text: string): string {
  return /^```(?:json)?\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;
}

export const json = defineCheck({
  fields: {
    json: field(
      'A JSON Schema (a table) that the answer, parsed as JSON, must satisfy.',
      z.record(z.string(), z.unknown()),
    ),
  },
  scopes: ['step', 'call'],
  judge: (seen, { json }, place) => givenAt(place)(['json'], json, (schema) => [checkJsonOutput(seen, schema)]),
  review: ({ json }) => (json === undefined ? [] : reviewSchema(json)),
});

function reviewSchema(schema: object): UnlocatedProblem[] {
  try {
    compileValueSchema(schema);
    return [];
  } catch (error) {
    const message = `\`json\` is not a JSON Schema that we can read: ${error instanceof Error ? error.message : error}`;
    return [{ code: 'BAD_JSON_SCHEMA', message, path: ['json'] }];
  }
}
