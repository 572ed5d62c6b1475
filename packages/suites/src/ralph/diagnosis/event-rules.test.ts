import { expect, it } from 'vitest';
import { diagnosed, EVENT, EXIT, failed, iteration, published } from '../../../../../test/helpers/diagnosed-program.js';

it.each(["<event topic='build.done'>x</event>", '<event topic="build.done">never closed', '<event build.done/>'])(
  'EventMalformed: %s',
  (tag) => {
    const { failure_type: type, evidence } = diagnosed([EVENT], {
      iterations: [iteration({ output: `I did.\n${tag}` })],
    });
    expect(type).toBe('EventMalformed');
    expect(evidence).toContain(`iteration 1 wrote "${tag}"`);
  },
);

it('EventMalformed: not for a broken tag of another topic', () => {
  const output = '<event topic="other">never closed';
  expect(diagnosed([EVENT], { iterations: [iteration({ output })] }).failure_type).toBe('EventMissing');
});

it('EventMalformed: the payload is another', () => {
  const subject = { kind: 'event', topic: 'build.done', payload: 'pass', wanted: true } as const;
  const payload = failed('event build.done with "pass"', subject, 'build.done with "pass"');
  const found = diagnosed([payload], { events_emitted: [published('build.done', 'done')] });
  expect(found.failure_type).toBe('EventMalformed');
  expect(found.evidence).toContain('build.done was published by builder with "done"');
});

it('EventMissing: written and dropped', () => {
  const output = '<event topic="build.done">tests: pass</event>';
  const found = diagnosed([EVENT], { iterations: [iteration({ output })] });
  expect(found).toMatchObject({ failure_type: 'EventMissing' });
  expect(found.root_cause_hypothesis).toContain('did not take it out of the output');
  expect(found.evidence).toContain(`iteration 1 wrote "${output}"`);
  const blocked = {
    iterations: [iteration({ output })],
    events_emitted: [published('build.blocked', 'lint: missing')],
  };
  expect(diagnosed([EVENT], blocked).evidence).toContain('build.blocked was published with "lint: missing"');
});

it('EventMissing: never written, told or untold', () => {
  expect(diagnosed([EVENT]).root_cause_hypothesis).toContain('The prompts mention build.done');
  const untold = diagnosed([EVENT], { iterations: [iteration({ prompt: 'Build it.' })] });
  expect(untold.root_cause_hypothesis).toContain('no prompt mentions build.done');
});

it('EventMissing: events that are the orchestrator’s own', () => {
  const blocked = { kind: 'event', topic: 'build.blocked', wanted: true } as const;
  const block = failed('event build.blocked', blocked, 'build.blocked');
  const let_through = diagnosed([block], { events_emitted: [published('build.done', 'it is implied')] });
  expect(let_through.root_cause_hypothesis).toContain('accepted build.done without its evidence');
  const silent = diagnosed([EVENT], { config_yaml: 'hats:\n  builder:\n    default_publishes: build.done\n' });
  expect(silent.root_cause_hypothesis).toContain('did not publish the default of the hat builder');
  const start = {
    config_yaml: 'event_loop:\n  starting_event: build.task\n',
    events_emitted: [published('task.start', '')],
  };
  expect(diagnosed([EXIT], start).root_cause_hypothesis).toContain('did not start with the event build.task');
  const begun = { ...start, events_emitted: [published('build.task', '')] };
  expect(diagnosed([EXIT], begun).failure_type).toBe('UnexpectedTermination');
});

it('EventMissing: not for a first event that the agent was given', () => {
  const config_yaml = 'event_loop:\n  starting_event: build.task\n';
  const given = iteration({ prompt: 'Event: build.task\nBuild it.' });
  const { root_cause_hypothesis: cause } = diagnosed([EVENT], { config_yaml, iterations: [given] });
  expect(cause).not.toContain('did not start with the event');
});
