import { field } from '@understudy/kit';
import * as z from 'zod/mini';
import { defineCheck } from './define-check.js';
import type { CheckResult } from './result.js';

/** What a stand-in refused is no answer of the agent, whatever came after it. */
export function checkSupported(unsupported: readonly string[], otherwise?: string): CheckResult[] {
  if (unsupported.length === 0) return [];
  const times = unsupported.length === 1 ? 'once' : `${unsupported.length} times`;
  return [
    {
      name: 'unsupported',
      category: 'calls',
      subject: { kind: 'unsupported' },
      status: 'failed',
      expected: 'the stand-in can do what is asked of the agent',
      actual: `it refused ${times}: ${unsupported[0]}`,
      evidence: [...new Set(unsupported)],
      suggestion: `Play it with the real agent: \`--stage scripted\`.${otherwise === undefined ? '' : ` ${otherwise}`}`,
    },
  ];
}

export const unsupported = defineCheck({
  fields: {
    unsupported: field(
      '"any" allows that the program asks a stand-in for what only the real agent can do.',
      z.enum(['none', 'any']),
    ),
  },
  scopes: ['run'],
  judge: (seen, { unsupported }) => (unsupported === 'any' ? [] : checkSupported(seen.unsupported, ALLOW)),
});

const ALLOW = 'If the program can do without it, write `unsupported = "any"`.';
