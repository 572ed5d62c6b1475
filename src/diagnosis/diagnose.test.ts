import { expect, it } from 'vitest';
import {
  sampleCase,
  sampleCheck,
  sampleContext,
  sampleEntry,
  sampleIteration,
} from '../../test/helpers/sample-results.js';
import { eventAbsent, eventPublished, hatSequence } from '../checks/program/loop-checks.js';
import type { ObservedProgram } from '../checks/program/observed-program.js';
import { exitCode } from '../checks/program/program-checks.js';
import type { CheckResult } from '../checks/result.js';
import type { ProgramContext, ProgramIteration } from '../results/context.js';
import type { EntryResult } from '../results/entry-result.js';
import { diagnose } from './diagnose.js';

const failed = (
  name: string,
  subject: CheckResult['subject'],
  expected: string,
  actual = 'something else',
  more: Partial<CheckResult> = {},
): CheckResult => sampleCheck('failed', { name, subject, expected, actual, category: 'custom', ...more });
const file = (path: string, words: string, present: boolean, actual: string) =>
  failed(`${path} has "${words}"`, { kind: 'file', path, words }, `contains "${words}"`, actual, { present });
const prompt = (iteration: number, words: string, wanted = true, actual = 'Build it.') =>
  failed(
    `prompt ${iteration} ${wanted ? 'has' : 'lacks'} "${words}"`,
    { kind: 'prompt', iteration, words, wanted },
    `contains "${words}"`,
    actual,
  );
const output = (number: number, words: string) =>
  failed(`output ${number} has "${words}"`, { kind: 'output', of: 'agent', number, words }, `contains "${words}"`);
const ended = (reason: string, actual: string) =>
  failed(`terminated: ${reason}`, { kind: 'termination', reason }, reason, actual);

const EXIT = failed('exit code 0', { kind: 'exit_code', code: 0 }, '0', '1');
const ENDED = ended('completed', 'max_iterations');
const EVENT = failed('event build.done', { kind: 'event', topic: 'build.done', wanted: true }, 'build.done');
const OUTPUT = output(1, 'I am the Builder');

const iteration = (parts: Partial<ProgramIteration> = {}): ProgramIteration =>
  sampleIteration({ prompt: 'Build it. Begin with "I am the Builder". Publish `build.done`.', ...parts });

const HATS = 'hats:\n  builder:\n    instructions: Begin with "I am the Builder".\n';

/** The diagnosis of a case that ran one ordinary iteration, changed as told. */
function diagnosed(checks: CheckResult[], context: Partial<ProgramContext> = {}, more: Partial<EntryResult> = {}) {
  const seen = sampleContext({
    iterations: [iteration()],
    config_yaml: HATS,
    termination_reason: 'completed',
    ...context,
  });
  return diagnose(sampleEntry('hat-single@claude', 'failed', { checks, context: seen, ...more }));
}

it('always has the failed checks as evidence, and no others', () => {
  const passed: CheckResult = { ...EXIT, name: 'fine', status: 'passed' };
  const { evidence } = diagnosed([passed, ENDED]);
  expect(evidence).toContain('terminated: completed: expected completed, got max_iterations');
  expect(evidence.join()).not.toContain('fine');
});

it('HarnessError: the harness could not run it, with its code and its fix', () => {
  const error = { code: 'AGENT_NOT_FOUND', message: 'there is no claude', fix: 'Run `understudy agents add claude`.' };
  expect(diagnosed([], {}, { status: 'error', error })).toMatchObject({
    failure_type: 'HarnessError',
    evidence: ['AGENT_NOT_FOUND: there is no claude'],
    potential_fixes: [{ description: 'Run `understudy agents add claude`.' }],
  });
  expect(diagnosed([EXIT]).failure_type).not.toBe('HarnessError');
});

it('NotJudged: nothing failed, and a check could not be made', () => {
  const hats = sampleCheck('unjudged', { name: 'hats a → b', actual: 'not recorded' });
  const found = diagnosed([hats, { ...EXIT, status: 'passed' }], {}, { status: 'unjudged' });
  expect(found.failure_type).toBe('NotJudged');
  expect(found.evidence).toEqual(['hats a → b: expected build.done, got not recorded']);
  expect(diagnosed([], {}, { status: 'unjudged' }).root_cause_hypothesis).toContain('No check was made');
  expect(diagnosed([hats, EXIT]).failure_type).not.toBe('NotJudged');
});

const BASELINE = {
  condition: 'no instructions',
  expected_failure: 'it does not say who it is',
  why_it_matters: 'w',
  red: false,
  still_green: ['output 1 has "x"'],
};

it('BaselineGreen: only when nothing else failed; otherwise it is further evidence', () => {
  const green = diagnosed([{ ...EXIT, status: 'passed' }], {}, { baselines: [BASELINE] });
  expect(green.failure_type).toBe('BaselineGreen');
  expect(green.evidence[0]).toContain('output 1 has "x"');
  expect(green.suggested_investigations[0]).toContain('it does not say who it is');
  const other = diagnosed([EVENT], {}, { baselines: [BASELINE] });
  expect(other.failure_type).toBe('EventMissing');
  expect(other.evidence).toContain('the baseline "no instructions" did not fail either');
  expect(diagnosed([{ ...EXIT, status: 'passed' }], {}, { baselines: [{ ...BASELINE, red: true }] }).failure_type).toBe(
    'Unknown',
  );
});

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

it('UnexpectedTermination: it never ran an iteration', () => {
  const found = diagnosed([EXIT, EVENT, OUTPUT], { iterations: [], exit_code: 3, stderr: 'panicked' });
  expect(found.failure_type).toBe('UnexpectedTermination');
  expect(found.evidence).toEqual(expect.arrayContaining(['the end of stderr: "panicked"', 'stdout was empty']));
  expect(diagnosed([EXIT], { iterations: [], exit_code: null }).root_cause_hypothesis).toContain('was killed');
});

it('UnexpectedTermination: a command without a loop says what it said', () => {
  const context = sampleContext({ exit_code: 1, stderr: 'no such command: memory' });
  const none = sampleCase({ expected_iterations: 0 });
  const found = diagnose(sampleEntry('memory-add@claude', 'failed', { checks: [EXIT], context, case: none }));
  expect(found.failure_type).toBe('UnexpectedTermination');
  expect(found.evidence).toContain('the end of stderr: "no such command: memory"');
});

it('UnexpectedTermination: a promise that was kept and missed', () => {
  const kept = iteration({ output: 'Done.\nLOOP_COMPLETE\n' });
  const found = diagnosed([ENDED], { iterations: [kept], termination_reason: 'max_iterations' });
  expect(found).toMatchObject({ failure_type: 'UnexpectedTermination' });
  expect(found.root_cause_hypothesis).toContain('at the end of iteration 1, and the loop did not complete');
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
  const count = failed('1 iteration', { kind: 'iterations', count: 1 }, '1', '2');
  expect(diagnosed([count], many).root_cause_hypothesis).toContain('more iterations than max_iterations (1)');
  const gaveUp = ended('consecutive_failures', 'max_iterations');
  expect(diagnosed([gaveUp], { termination_reason: 'max_iterations' }).root_cause_hypothesis).toContain(
    'should have ended (consecutive_failures), and went on until: max_iterations',
  );
  const right: CheckResult = { ...ENDED, status: 'passed', actual: 'completed' };
  expect(diagnosed([right, EXIT]).root_cause_hypothesis).toContain('its exit code does not say so');
});

it('UnexpectedTermination: complete although nobody promised, or no record at all', () => {
  const early = diagnosed([EXIT], { iterations: [iteration({ output: 'LOOP_COMPLETE comes later.' })] });
  expect(early.root_cause_hypothesis).toContain('ended as complete, although');
  const own = {
    config_yaml: 'event_loop:\n  completion_promise: ALL_DONE\n',
    iterations: [iteration({ output: 'ALL_DONE', promised: true })],
  };
  expect(diagnosed([EXIT], own).root_cause_hypothesis).toContain('The agent said "ALL_DONE" as its last line');
  const seen = sampleContext({ iterations: [iteration()], stderr: 'killed' });
  const lost = diagnose(sampleEntry('a@claude', 'failed', { checks: [EXIT], context: seen }));
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

const WORN = failed('hats builder → ralph', { kind: 'hats', order: ['builder', 'ralph'] }, 'builder → ralph');

it('AssertionMismatch: an event that went to another hat than the contract says', () => {
  const on = (hat: string, belongsTo: string) =>
    iteration({ hat, events_given: [{ topic: 'build.task', hat: belongsTo }] });
  const found = diagnosed([WORN], { iterations: [on('watcher', 'builder')] });
  expect(found.evidence).toContain('prompt 1 has the event build.task, which belongs to builder');
  expect(found.root_cause_hypothesis).toContain('ran under the hat watcher');
  const second = { ...on('watcher', 'auditor'), iteration: 2 };
  expect(diagnosed([WORN], { iterations: [iteration(), second] }).evidence.at(-1)).toContain(
    'prompt 2 has the event build.task, which belongs to auditor',
  );
  const right = diagnosed([WORN], { iterations: [on('watcher', 'watcher')] });
  expect(right.root_cause_hypothesis).not.toContain('ran under the hat');
});

it('AssertionMismatch: a raw stream in place of words', () => {
  const raw = iteration({ output: '{"type":"system","subtype":"init"}\n{"type":"assistant"}' });
  expect(diagnosed([OUTPUT], { iterations: [raw] }).root_cause_hypothesis).toContain('raw events of the CLI');
  const json = iteration({ output: 'I wrote {"type":"system"} into the file.' });
  expect(diagnosed([OUTPUT], { iterations: [json] }).failure_type).toBe('PromptIneffective');
});

it('AssertionMismatch: a memory that was never written, before a prompt that cannot have it', () => {
  const memories = file('.agent/memories.md', '> Tabs.', true, '# Memories');
  const told = prompt(1, '> Tabs.');
  const seen = { iterations: [iteration({ stderr: 'ralph: not found' })] };
  const found = diagnosed([memories, told], seen);
  expect(found.root_cause_hypothesis).toContain('memory file does not have');
  expect(found.evidence).toContain('iteration 1 reported "ralph: not found"');
  expect(diagnosed([told], seen).failure_type).toBe('PromptIneffective');
});

it('PromptIneffective: not injected, by an assertion or by what the prompt lacks', () => {
  const told = prompt(1, '### Builder Instructions');
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
  const unsaid = output(2, 'two');
  const found = diagnosed([unsaid], { iterations: [first, second] });
  expect(found.evidence).toContain('prompt 2 lacks the event count.one, which iteration 1 wrote');
  const handed = diagnosed([unsaid], {
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
  const third = output(3, 'three');
  expect(diagnosed([third, EXIT]).failure_type).toBe('UnexpectedTermination');
  const words = 'cannot start';
  const prints = failed('call 1', { kind: 'output', of: 'program', number: 1, words }, words);
  expect(diagnosed([prints]).failure_type).toBe('AssertionMismatch');
});

it('AssertionMismatch: processes, files, other writers, words that must not be there', () => {
  const processes = failed('no process left', { kind: 'processes' }, 'none', 'sleep 600');
  expect(diagnosed([processes]).root_cause_hypothesis).toContain('left processes behind');
  const poem = file('poem.txt', 'roses', false, 'there is no such file');
  const withTools = (calls: number) =>
    diagnosed([poem], { iterations: [iteration({ tool_calls: calls })] }).root_cause_hypothesis;
  expect(withTools(0)).toContain('used no tool');
  expect(withTools(1)).not.toContain('used no tool');
  const writer = { kind: 'event', topic: 'build.done', by: 'builder', wanted: true } as const;
  const by = failed('event build.done by builder', writer, 'build.done by builder');
  expect(diagnosed([by], { events_emitted: [published('build.done', 'x', 'ralph')] }).evidence).toContain(
    'build.done was published by ralph, not by builder',
  );
  expect(diagnosed([prompt(2, 'secret plan', false)]).root_cause_hypothesis).toContain('must not be');
  const none = failed('no event lost', { kind: 'event', topic: 'lost', wanted: false }, 'no lost');
  expect(diagnosed([none]).root_cause_hypothesis).toContain('must not be');
  const odd = failed('odd', { kind: 'condition' }, 'a', 'b');
  expect(diagnosed([odd]).root_cause_hypothesis).toContain('What was observed differs');
  const named = (backend: string) => ({ config_yaml: `hats:\n  builder:\n    backend: ${backend}\n` });
  for (const backend of ['kiro', '{type: kiro, agent: b}'])
    expect(diagnosed([odd], named(backend)).evidence).toContain(
      'ralph.yml has the backend kiro for builder, and iteration 1 ran on claude',
    );
  expect(diagnosed([odd], named('claude')).root_cause_hypothesis).toContain('What was observed differs');
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

it('reports a run that prints nothing', () => {
  const silent = failed('every run prints something', { kind: 'condition' }, 'words', 'step 1 printed nothing');
  expect(diagnosed([silent]).root_cause_hypothesis).toMatch(/printed nothing \(step 1 printed nothing\)/);
});

it('says of a failure on the Kiro stand-in that its trailing line is known from documentation alone', () => {
  const kiro = sampleIteration({
    ...{ backend: 'kiro', output: 'Done.\nLOOP_COMPLETE', stderr: '\n ▸ Credits: 0.01 • Time: 1s' },
  });
  const evidence = (parts: Partial<EntryResult>, reason = 'max_iterations') => {
    const context = sampleContext({ exit_code: 2, termination_reason: reason, iterations: [kiro] });
    return diagnose(sampleEntry('completion@kiro', 'failed', { checks: [EXIT], context, ...parts })).evidence.join();
  };
  expect(evidence({})).toContain('known from its documentation alone');
  expect(evidence({ stage: 'live' })).not.toContain('documentation');
  expect(evidence({}, 'completed')).not.toContain('documentation');
});
