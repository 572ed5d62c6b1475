import { pick } from '@understudy/stage';
import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';

/**
 * Whether the agent works with the model that it was started with: a CLI takes the newest model in the place of one that
 * is gone, and says so nowhere. Nothing where it reports none, or was given a short name such as `opus`.
 */
export function checkModelStarted(events: Observed['all'], wanted: string | undefined): CheckResult[] {
  if (wanted === undefined || !/\d/.test(wanted)) return [];
  const other = pick(events, 'session').findLast(({ model }) => model !== undefined)?.model;
  if (other === undefined || bare(other).includes(bare(wanted))) return [];
  return [
    {
      name: 'model',
      category: 'outcome',
      subject: { kind: 'condition' },
      status: 'failed',
      expected: `the agent works with ${wanted}`,
      actual: `it works with ${other}`,
      evidence: [],
      suggestion: `Name a model that this version of the CLI knows; it takes ${other} in the place of ${wanted}.`,
    },
  ];
}

/** `claude-opus-5[1m]` is a model with a larger window. Providers write a name before it. */
function bare(model: string): string {
  return (
    model
      .toLowerCase()
      .replace(/\[.*\]$/, '')
      .split('/')
      .at(-1) ?? model
  );
}
