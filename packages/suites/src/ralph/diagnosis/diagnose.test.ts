import type { CheckResult } from '@understudy/verdict';
import { expect, it } from 'vitest';
import { diagnosed, ENDED, EXIT, file, OUTPUT, output, prompt } from '../../../../../test/helpers/diagnosed-program.js';
import { eventAbsent, eventPublished, hatSequence } from '../checks/loop-checks.js';
import type { ObservedProgram } from '../checks/observed-program.js';
import { exitCode } from '../checks/program-checks.js';

it('always has the failed checks as evidence, and no others', () => {
  const passed: CheckResult = { ...EXIT, name: 'fine', status: 'passed' };
  const { evidence } = diagnosed([passed, ENDED]);
  expect(evidence).toContain('terminated: completed: expected completed, got max_iterations');
  expect(evidence.join()).not.toContain('fine');
});

it('Unknown: nothing says why', () => {
  expect(diagnosed([])).toMatchObject({ failure_type: 'Unknown', evidence: [], potential_fixes: [] });
});

it('is not disturbed by a configuration that cannot be read', () => {
  expect(diagnosed([OUTPUT], { config_yaml: '{{{' }).failure_type).toBe('PromptIneffective');
});

it('reads subjects: other words in a check change nothing', () => {
  const seen: ObservedProgram = {
    ...{ runs: [], last: { code: 1 }, timedOut: false, leftovers: [], termination: undefined, read: () => undefined },
    events: [{ topic: 'lost', payload: '' }],
    iterations: [{ hat: 'watcher' }],
  };
  const checks = [
    exitCode(seen, 0),
    eventPublished(seen, 'build.done', { payload: 'pass', by: 'builder' }),
    eventAbsent(seen, 'lost'),
    hatSequence(seen, ['builder', 'ralph']),
    prompt(1, 'x'),
    output(1, 'y'),
    file('memories.md', 'z', true, ''),
  ];
  for (const check of checks) {
    const type = (one: CheckResult) => diagnosed([one]).failure_type;
    expect(type({ ...check, name: 'n', expected: 'e', actual: 'a', evidence: [] }), check.name).toBe(type(check));
  }
});
