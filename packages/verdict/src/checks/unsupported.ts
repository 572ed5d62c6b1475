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
