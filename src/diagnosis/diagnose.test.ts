import { expect, it } from 'vitest';
import { sampleContext, sampleResult } from '../../test/helpers/suite-report.js';
import type { ReportedContext, ReportedResult } from '../results/schema.js';
import { diagnose, findSimilar } from './diagnose.js';

type Assertion = ReportedResult['assertions'][number];
type Iteration = ReportedContext['iterations'][number];

const failed = (name: string, category: string, expected: string, actual = 'something else'): Assertion => ({
  name,
  category,
  passed: false,
  expected,
  actual,
});
const EXIT = failed('exit code 0', 'ExitCode', '0', '1');
const ENDED = failed('terminated: completed', 'TerminationReason', 'completed', 'max_iterations');
const EVENT = failed('event build.done', 'EventEmitted', 'build.done', 'only: task.start');
const OUTPUT = failed('output 1 has "I am the Builder"', 'OutputContains', 'contains "I am the Builder"');

const iteration = (parts: Partial<Iteration> = {}): Iteration => ({
  iteration: 1,
  hat: 'builder',
  backend: 'claude',
  command: 'claude --print',
  prompt: 'Build it. Begin with "I am the Builder". Publish `build.done`.',
  output: 'I build.',
  exit_code: 0,
  failed: false,
  ...parts,
});

const HATS = 'hats:\n  builder:\n    instructions: Begin with "I am the Builder".\n';

/** The diagnosis of a case that ran one ordinary iteration, changed as told. */
function diagnosed(
  assertions: Assertion[],
  context: Partial<ReportedContext> = {},
  more: Partial<ReportedResult> = {},
) {
  const seen = sampleContext({
    iterations: [iteration()],
    config_yaml: HATS,
    termination_reason: 'completed',
    ...context,
  });
  return diagnose(sampleResult('hat-single@claude', 'failed', { assertions, context: seen, ...more }), 1);
}

it('always has the failed assertions as evidence, and no others', () => {
  const passed: Assertion = { ...EXIT, name: 'fine', passed: true };
  const { evidence } = diagnosed([passed, ENDED]);
  expect(evidence).toContain('terminated: completed: expected completed, got max_iterations');
  expect(evidence.join()).not.toContain('fine');
});

it('HarnessError: the harness could not run it', () => {
  const { failure_type: type, evidence } = diagnosed([], {}, { harness_error: true, reason: 'EACCES: no permission' });
  expect({ type, evidence }).toEqual({ type: 'HarnessError', evidence: ['EACCES: no permission'] });
});

const BASELINE = {
  condition: 'no instructions',
  expected_failure: 'it does not say who it is',
  why_it_matters: 'w',
  red: false,
  still_green: ['output 1 has "x"'],
};

it('BaselineGreen: only when nothing else failed; otherwise it is further evidence', () => {
  const green = diagnosed([{ ...EXIT, passed: true }], {}, { baselines: [BASELINE] });
  expect(green.failure_type).toBe('BaselineGreen');
  expect(green.evidence[0]).toContain('output 1 has "x"');
  expect(green.suggested_investigations[0]).toContain('it does not say who it is');
  const other = diagnosed([EVENT], {}, { baselines: [BASELINE] });
  expect(other.failure_type).toBe('EventMissing');
  expect(other.evidence).toContain('the baseline "no instructions" did not fail either');
  expect(diagnosed([{ ...EXIT, passed: true }], {}, { baselines: [{ ...BASELINE, red: true }] }).failure_type).toBe(
    'Unknown',
  );
});

it('ConfigurationError: the configuration was refused before anything ran', () => {
  const stderr = 'error LOOP_CONFIG_INVALID: ralph.yml has a problem\n\nralph.yml:3:3 `max_iter` is not a field here\n';
  const seen = { iterations: [], exit_code: 1, stderr };
  const { failure_type: type, evidence, potential_fixes: fixes } = diagnosed([EXIT], seen);
  expect(type).toBe('ConfigurationError');
  expect(evidence.at(-1)).toContain('`max_iter` is not a field here');
  expect(fixes[0]).toMatchObject({ file_to_modify: 'ralph.yml' });
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
  expect(found.evidence).toContain('the last that was printed: "a\nb"');
  const idle = diagnosed([EXIT], { timed_out: true });
  expect(idle.root_cause_hypothesis).toContain('no iteration was running');
  expect(idle.potential_fixes[0]?.file_to_modify).toBe('ralph.yml');
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
  const wanted: Assertion = { ...EXIT, passed: true, actual: 'Invalid API key · please run /login' };
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
  expect(diagnosed([EXIT], { iterations: [crashed] }, { tier: 'Error Handling' }).failure_type).toBe(
    'UnexpectedTermination',
  );
});

it('UnexpectedTermination: it never ran an iteration', () => {
  const found = diagnosed([EXIT, EVENT, OUTPUT], { iterations: [], exit_code: 3, stderr: 'panicked' });
  expect(found.failure_type).toBe('UnexpectedTermination');
  expect(found.evidence).toEqual(expect.arrayContaining(['the end of stderr: "panicked"', 'stdout was empty']));
  expect(diagnosed([EXIT], { iterations: [], exit_code: null }).root_cause_hypothesis).toContain('was killed');
});

it('UnexpectedTermination: a command without a loop says what it said', () => {
  const context = sampleContext({ exit_code: 1, stderr: 'no such command: memory' });
  const found = diagnose(sampleResult('memory-add@claude', 'failed', { assertions: [EXIT], context }), 0);
  expect(found.failure_type).toBe('UnexpectedTermination');
  expect(found.evidence).toContain('the end of stderr: "no such command: memory"');
});

it('UnexpectedTermination: a promise that was kept and missed', () => {
  const kept = iteration({ output: 'Done.\nLOOP_COMPLETE\n' });
  const found = diagnosed([ENDED], { iterations: [kept], termination_reason: 'max_iterations' });
  expect(found).toMatchObject({ failure_type: 'UnexpectedTermination' });
  expect(found.root_cause_hypothesis).toContain('at the end of iteration 1, and the loop did not take it');
  const never = diagnosed([ENDED], { termination_reason: 'max_iterations' });
  expect(never.root_cause_hypothesis).toContain('never said "LOOP_COMPLETE"');
  const inside = iteration({ output: 'I say LOOP_COMPLETE soon.' });
  expect(
    diagnosed([ENDED], { iterations: [inside], termination_reason: 'max_iterations' }).root_cause_hypothesis,
  ).toContain('never as its last line');
});

it('UnexpectedTermination: a promise with marks around it', () => {
  const marked = iteration({ output: '> LOOP_COMPLETE' });
  expect(
    diagnosed([ENDED], { iterations: [marked], termination_reason: 'max_iterations' }).root_cause_hypothesis,
  ).toContain('marks around it');
});

it('UnexpectedTermination: more iterations than allowed, another ending, a code that does not fit', () => {
  const many = {
    config_yaml: 'event_loop:\n  max_iterations: 1\n',
    iterations: [iteration(), iteration({ iteration: 2 })],
  };
  const count = failed('1 iteration', 'IterationCount', '1', '2');
  expect(diagnosed([count], many).root_cause_hypothesis).toContain('more iterations than max_iterations (1)');
  const gaveUp = failed(
    'terminated: consecutive_failures',
    'TerminationReason',
    'consecutive_failures',
    'max_iterations',
  );
  expect(diagnosed([gaveUp], { termination_reason: 'max_iterations' }).root_cause_hypothesis).toContain(
    'should have ended (consecutive_failures), and went on until: max_iterations',
  );
  const ended = { ...ENDED, passed: true, actual: 'completed' };
  expect(diagnosed([ended, EXIT]).root_cause_hypothesis).toContain('its exit code does not say so');
});

it('UnexpectedTermination: complete although nobody promised, or no record at all', () => {
  const early = diagnosed([EXIT], { iterations: [iteration({ output: 'LOOP_COMPLETE comes later.' })] });
  expect(early.root_cause_hypothesis).toContain('took itself for complete');
  const own = {
    config_yaml: 'event_loop:\n  completion_promise: ALL_DONE\n',
    iterations: [iteration({ output: 'ALL_DONE' })],
  };
  expect(diagnosed([EXIT], own).root_cause_hypothesis).toContain('The agent said "ALL_DONE" as its last line');
  const seen = sampleContext({ iterations: [iteration()], stderr: 'killed' });
  const lost = diagnose(sampleResult('a@claude', 'failed', { assertions: [EXIT], context: seen }), 1);
  expect(lost.root_cause_hypothesis).toContain('without a record of its end');
});

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

const published = (topic: string, payload: string, source_hat = 'builder') => ({
  topic,
  payload,
  timestamp: 't',
  source_hat,
});

it('EventMalformed: the payload is another', () => {
  const payload = failed('event build.done with "pass"', 'EventPayload', 'build.done with "pass"');
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
  expect(untold.root_cause_hypothesis).toContain('no prompt so much as mentions build.done');
});

it('EventMissing: events that are the orchestrator’s own', () => {
  const block = failed('event build.blocked', 'EventEmitted', 'build.blocked');
  const let_through = diagnosed([block], { events_emitted: [published('build.done', 'it is implied')] });
  expect(let_through.root_cause_hypothesis).toContain('let build.done pass without its evidence');
  const silent = diagnosed([EVENT], { config_yaml: 'hats:\n  builder:\n    default_publishes: build.done\n' });
  expect(silent.root_cause_hypothesis).toContain('did not publish the default of the hat builder');
  const start = {
    config_yaml: 'event_loop:\n  starting_event: build.task\n',
    events_emitted: [published('task.start', '')],
  };
  expect(diagnosed([EXIT], start).root_cause_hypothesis).toContain('did not begin with the event build.task');
  const begun = { ...start, events_emitted: [published('build.task', '')] };
  expect(diagnosed([EXIT], begun).failure_type).toBe('UnexpectedTermination');
});

const ROUTES =
  'hats:\n  watcher: {triggers: ["build.*"]}\n  builder: {triggers: [build.task]}\n  auditor: {triggers: [audit.start]}\n';
const WORN = failed('hats builder → ralph', 'Custom', 'builder → ralph', 'watcher → ralph');

it('AssertionMismatch: an event that went to another hat than the contract says', () => {
  const on = (hat: string, event: string) => iteration({ hat, prompt: `Build it.\nEvent: ${event}` });
  const route = (worn: Iteration, target?: string) =>
    diagnosed([WORN], {
      config_yaml: ROUTES,
      iterations: [worn],
      events_emitted: [{ ...published('build.task', ''), ...(target === undefined ? {} : { target }) }],
    });
  expect(route(on('watcher', 'build.task')).evidence).toContain(
    'prompt 1 has the event build.task, which goes to builder',
  );
  expect(route(on('watcher', 'build.task'), 'auditor').evidence.at(-1)).toContain('which goes to auditor');
  const writer = iteration({ hat: 'builder', output: '<event topic="build.task" target="auditor">by name</event>' });
  const second = { ...on('watcher', 'build.task'), iteration: 2 };
  expect(diagnosed([WORN], { config_yaml: ROUTES, iterations: [writer, second] }).evidence.at(-1)).toContain(
    'prompt 2 has the event build.task, which goes to auditor',
  );
  expect(route(on('watcher', 'nobody.listens')).evidence.at(-1)).toContain('which goes to ralph');
  expect(route(on('watcher', 'build.started')).root_cause_hypothesis).not.toContain('was given to');
});

it('AssertionMismatch: a raw stream in place of words', () => {
  const raw = iteration({ output: '{"type":"system","subtype":"init"}\n{"type":"assistant"}' });
  expect(diagnosed([OUTPUT], { iterations: [raw] }).root_cause_hypothesis).toContain('raw events of the CLI');
  const json = iteration({ output: 'I wrote {"type":"system"} into the file.' });
  expect(diagnosed([OUTPUT], { iterations: [json] }).failure_type).toBe('PromptIneffective');
});

it('AssertionMismatch: a memory that was never written, before a prompt that cannot have it', () => {
  const file = failed('.agent/memories.md has "> Tabs."', 'FileContains', 'contains "> Tabs."', '# Memories');
  const told = failed('prompt 1 has "> Tabs."', 'PromptEffectiveness', 'contains "> Tabs."', 'Build it.');
  const seen = { iterations: [iteration({ stderr: 'ralph: not found' })] };
  const found = diagnosed([file, told], seen);
  expect(found.root_cause_hypothesis).toContain('memory file does not hold');
  expect(found.evidence).toContain('iteration 1 reported "ralph: not found"');
  expect(diagnosed([told], seen).failure_type).toBe('PromptIneffective');
});

it('PromptIneffective: not injected, by an assertion or by what the prompt lacks', () => {
  const told = failed('prompt 1 has "### Builder Instructions"', 'PromptEffectiveness', 'contains "…"', 'Build it.');
  expect(diagnosed([told]).root_cause_hypothesis).toContain('not injected');
  const bare = diagnosed([OUTPUT], { iterations: [iteration({ prompt: 'Build it.' })] });
  expect(bare.failure_type).toBe('PromptIneffective');
  expect(bare.evidence).toContain('prompt 1 lacks the instructions of builder: "Begin with "I am the Builder"."');
  const aimless = diagnosed([OUTPUT], { iterations: [iteration({ prompt: 'Begin with "I am the Builder".' })] });
  expect(aimless.evidence).toContain('prompt 1 lacks the objective "Build it."');
});

it('PromptIneffective: an event that was not handed on', () => {
  const first = iteration({ output: '<event topic="count.one"></event>' });
  const second = iteration({ iteration: 2 });
  const output = failed('output 2 has "two"', 'OutputContains', 'contains "two"');
  const found = diagnosed([output], { iterations: [first, second] });
  expect(found.evidence).toContain('prompt 2 lacks the event count.one, which iteration 1 wrote');
  const handed = diagnosed([output], {
    iterations: [first, { ...second, prompt: `${second.prompt} Event: count.one` }],
  });
  expect(handed.root_cause_hypothesis).toContain('did not act on it');
  const begun = diagnosed([OUTPUT], { events_emitted: [published('task.start', '')] });
  expect(begun.evidence).toContain('prompt 1 lacks the event task.start, with which the loop began');
});

it('PromptIneffective: given and not followed', () => {
  const found = diagnosed([OUTPUT]);
  expect(found).toMatchObject({ failure_type: 'PromptIneffective' });
  expect(found.root_cause_hypothesis).toBe('The agent was given what it needed, and did not act on it.');
  expect(found.evidence).toContain('iteration 1 said "I build."');
});

it('PromptIneffective: not for an iteration that never was, nor for what the orchestrator prints', () => {
  const third = failed('output 3 has "three"', 'OutputContains', 'contains "three"', 'there was no such iteration');
  expect(diagnosed([third, EXIT]).failure_type).toBe('UnexpectedTermination');
  const prints = failed('call 1 prints "cannot start"', 'OutputContains', 'contains "cannot start"');
  expect(diagnosed([prints]).failure_type).toBe('AssertionMismatch');
});

it('AssertionMismatch: processes, files, other writers, words that must not be there', () => {
  expect(diagnosed([failed('no process left', 'Processes', 'none', 'sleep 600')]).root_cause_hypothesis).toContain(
    'left processes behind',
  );
  const file = failed('poem.txt has "roses"', 'FileCreated', 'contains "roses"', 'there is no such file');
  expect(diagnosed([file], { iterations: [iteration({ tool_calls: 0 })] }).root_cause_hypothesis).toContain(
    'used no tool',
  );
  expect(diagnosed([file], { iterations: [iteration({ tool_calls: 1 })] }).root_cause_hypothesis).not.toContain(
    'used no tool',
  );
  const by = failed('event build.done by builder', 'EventEmitted', 'build.done by builder');
  expect(diagnosed([by], { events_emitted: [published('build.done', 'x', 'ralph')] }).evidence).toContain(
    'build.done was published by ralph, not by builder',
  );
  const lacks = failed('prompt 2 lacks "secret plan"', 'PromptEffectiveness', 'does not contain "secret plan"');
  expect(diagnosed([lacks]).root_cause_hypothesis).toContain('must not be');
  const none = failed('no event lost', 'EventEmitted', 'no lost', 'task.start, lost');
  expect(diagnosed([none]).root_cause_hypothesis).toContain('must not be');
  const odd = failed('odd', 'Custom', 'a', 'b');
  expect(diagnosed([odd]).root_cause_hypothesis).toContain('What was seen differs');
  const named = (backend: string) => ({ config_yaml: `hats:\n  builder:\n    backend: ${backend}\n` });
  for (const backend of ['kiro', '{type: kiro, agent: b}'])
    expect(diagnosed([odd], named(backend)).evidence).toContain(
      'ralph.yml has the backend kiro for builder, and iteration 1 ran on claude',
    );
  expect(diagnosed([odd], named('claude')).root_cause_hypothesis).toContain('What was seen differs');
});

it('Unknown: nothing says why', () => {
  expect(diagnosed([])).toMatchObject({ failure_type: 'Unknown', evidence: [], potential_fixes: [] });
});

it('is not disturbed by a configuration that cannot be read', () => {
  expect(diagnosed([OUTPUT], { config_yaml: '{{{' }).failure_type).toBe('PromptIneffective');
});

it('finds failures of the same type on the same kind of assertion', () => {
  const of = (id: string, assertions: Assertion[]) => {
    const result = sampleResult(id, 'failed', { assertions, context: sampleContext({ iterations: [iteration()] }) });
    return { ...result, diagnosis: diagnose(result, 1) };
  };
  const other = failed('event plan.ready', 'EventEmitted', 'plan.ready');
  const results = findSimilar([
    of('a@claude', [EVENT]),
    of('b@claude', [EVENT, EXIT]),
    of('c@claude', [other]),
    of('d@claude', [EXIT]),
    sampleResult('e@claude', 'passed'),
  ]);
  expect(results.map(({ diagnosis }) => diagnosis?.similar_failures)).toEqual([
    ['b@claude'],
    ['a@claude'],
    [],
    [],
    undefined,
  ]);
});
