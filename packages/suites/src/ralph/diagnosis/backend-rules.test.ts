import type { CheckResult } from '@understudy/verdict';
import { expect, it } from 'vitest';
import {
  diagnosed,
  ENDED,
  EVENT,
  EXIT,
  failed,
  iteration,
  OUTPUT,
} from '../../../../../test/helpers/diagnosed-program.js';

it('ConfigurationError: the configuration was refused before anything ran', () => {
  const stderr = 'error LOOP_CONFIG_INVALID: ralph.yml has a problem\n\nralph.yml:3:3 `max_iter` is not a field here\n';
  const seen = { iterations: [], exit_code: 1, stderr };
  const { failure_type: type, evidence, potential_fixes: fixes } = diagnosed([EXIT], seen);
  expect(type).toBe('ConfigurationError');
  expect(evidence.at(-1)).toContain('`max_iter` is not a field here');
  expect(fixes[0]).toMatchObject({ file_to_modify: 'the part of the orchestrator that reads ralph.yml' });
  expect(diagnosed([EXIT], { ...seen, stderr: 'Error: Failed to parse YAML from ralph.yml' }).failure_type).toBe(
    'ConfigurationError',
  );
});

it('ConfigurationError: in the words of the real Ralph', () => {
  const stderr =
    "Error: Configuration validation failed\n\nCaused by:\n    Hat 'b' is missing required 'description' field\n";
  const { failure_type: type, evidence } = diagnosed([EXIT], { iterations: [], exit_code: 1, stderr });
  expect(type).toBe('ConfigurationError');
  expect(evidence.at(-1)).toContain("Hat 'b' is missing");
});

it('ConfigurationError: not when it ran, and not for any other complaint', () => {
  expect(diagnosed([EXIT], { exit_code: 1, stderr: 'invalid config' }).failure_type).not.toBe('ConfigurationError');
  expect(diagnosed([EXIT], { iterations: [], exit_code: 1, stderr: 'segfault' }).failure_type).not.toBe(
    'ConfigurationError',
  );
});

it('TimeoutExceeded: ended at the deadline, with what was running then', () => {
  const running = iteration({ iteration: 2 });
  delete running.exit_code;
  const config_yaml = 'event_loop:\n  max_runtime_seconds: 1\n';
  const found = diagnosed([EXIT], { timed_out: true, iterations: [iteration(), running], config_yaml, stdout: 'a\nb' });
  expect(found.failure_type).toBe('TimeoutExceeded');
  expect(found.root_cause_hypothesis).toContain('iteration 2 did not end, and the loop’s own limit of 1 s');
  expect(found.evidence).toContain('the last lines of stdout: "a\nb"');
  const idle = diagnosed([EXIT], { timed_out: true, termination_reason: 'max_iterations' });
  expect(idle.root_cause_hypothesis).toContain('no iteration was running');
  expect(idle.potential_fixes[0]?.file_to_modify).toBe('the part of the orchestrator that ends the loop');
});

it('TimeoutExceeded: the loop’s own limit counts where it was not expected', () => {
  expect(diagnosed([ENDED], { termination_reason: 'max_runtime' }).failure_type).toBe('TimeoutExceeded');
  expect(diagnosed([OUTPUT], { termination_reason: 'max_runtime' }).failure_type).not.toBe('TimeoutExceeded');
});

it('AuthenticationError: what a failed agent said, unless the case wants just that', () => {
  const refused = iteration({ failed: true, exit_code: 1, stderr: 'x\nInvalid API key · please run /login' });
  const { failure_type: type, evidence } = diagnosed([EXIT], { iterations: [refused] });
  expect(type).toBe('AuthenticationError');
  expect(evidence).toContain('iteration 1 said: "Invalid API key · please run /login"');
  const wanted: CheckResult = { ...EXIT, status: 'passed', actual: 'Invalid API key · please run /login' };
  expect(diagnosed([EXIT, wanted], { iterations: [refused] }).failure_type).not.toBe('AuthenticationError');
  const talks = iteration({ output: 'The endpoint answers 401 Unauthorized.' });
  expect(diagnosed([EXIT], { iterations: [talks] }).failure_type).not.toBe('AuthenticationError');
});

it('BackendError: the last agent failed, or the loop gave up', () => {
  const crashed = iteration({ failed: true, exit_code: 7, stderr: 'out of memory' });
  const found = diagnosed([EXIT], { iterations: [crashed], termination_reason: 'consecutive_failures' });
  expect(found.failure_type).toBe('BackendError');
  expect(found.evidence).toContain('iteration 1: claude ended with exit code 7 and said "out of memory"');
  expect(found.suggested_investigations).toEqual(['Run the agent by itself: claude --print']);
  const missing = diagnosed([EXIT], { iterations: [], termination_reason: 'backend_unavailable' });
  expect(missing.root_cause_hypothesis).toContain('could not be started');
});

it('BackendError: not when the loop got over it, and not where failing is the point', () => {
  const crashed = iteration({ failed: true, exit_code: 7 });
  expect(diagnosed([EVENT], { iterations: [crashed, iteration({ iteration: 2 })] }).failure_type).toBe('EventMissing');
  const expectsFailure = failed('exit code 1', { kind: 'exit_code', code: 1 }, '1', '2');
  expect(diagnosed([expectsFailure], { iterations: [crashed] }).failure_type).toBe('UnexpectedTermination');
});

it('does not blame an agent that had ended when the orchestrator completed and then hung', () => {
  const hung = { timed_out: true, exit_code: null, termination_reason: 'completed' };
  const { root_cause_hypothesis: cause } = diagnosed([EXIT], { ...hung, iterations: [iteration({ exit_code: 0 })] });
  expect(cause).toBe('The orchestrator completed its work and then did not end: every agent had ended.');
  const { root_cause_hypothesis: other } = diagnosed([EXIT], { ...hung, iterations: [iteration({ exit_code: null })] });
  expect(other).toMatch(/^The agent of iteration 1 did not end/);
});

it('says that an agent was killed, not that it ignored its instructions', () => {
  const killed = iteration({ exit_code: null, failed: true, output: '' });
  const found = diagnosed([OUTPUT], { iterations: [killed, iteration({ iteration: 2 })] });
  expect(found).toMatchObject({ failure_type: 'BackendError' });
  expect(found.root_cause_hypothesis).toMatch(/was killed in iteration 1/);
});
