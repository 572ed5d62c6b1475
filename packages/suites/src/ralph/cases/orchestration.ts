import { backends, type SuiteCase } from '../../orchestrators/case.js';
import {
  agentMatches,
  agentSays,
  eventPublished,
  iterationCount,
  promptContains,
  terminationReason,
} from '../checks/loop-checks.js';
import { exitCode } from '../checks/program-checks.js';
import { afterCommand, configured, DONE, event, script } from './script.js';

const GREETING = `Greet the reader in one iteration: say hello, write ${event('greeting.said', 'hello')}, and end with the line LOOP_COMPLETE.`;

const singleIteration: SuiteCase = {
  id: 'single-iter',
  specifiedAs: (backend) => `${backend}-single-iter`,
  description: 'One full iteration: prompt, work, event, completion',
  tier: 'Orchestration',
  backends,
  expectedIterations: 1,
  quality: [
    {
      name: 'iterations',
      optimal: 'one, with its event and the promise',
      acceptable: 'one, with a second event that was not asked for',
      concerning: 'more than one for a task that needs one',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    prompt: GREETING,
    scenario: script(['Greet the reader', `Hello, reader.\n${event('greeting.said', 'hello')}\nLOOP_COMPLETE`]),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    terminationReason(observed, 'completed'),
    iterationCount(observed, 1),
    promptContains(observed, 1, GREETING),
    agentMatches(observed, 1, /\bhello\b/i),
    eventPublished(observed, 'greeting.said', { payload: 'hello' }),
  ],
  baselines: [
    {
      condition: 'the agent never says the promise',
      expectedFailure: 'the loop does not end after one iteration',
      whyItMatters: 'a loop that ends without a promise is not complete',
      change: (setup) => configured(setup, { event_loop: { max_iterations: 3, completion_promise: 'SOMETHING_ELSE' } }),
      fails: ['terminated: completed', '1 iteration'],
    },
  ],
};

const multiIteration: SuiteCase = {
  id: 'multi-iter',
  specifiedAs: () => 'claude-multi-iter',
  description: 'Three iterations, each based on the previous one',
  tier: 'Orchestration',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 3,
  quality: [
    {
      name: 'progression',
      optimal: 'three iterations, each with one step',
      acceptable: 'three, with a repeated step',
      concerning: 'steps skipped, or several done in one iteration',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 4 } },
    prompt: [
      'Count to three, one number in each iteration, and use no tools. Never do two of these in one iteration:',
      `- If the pending event is task.start, answer with the word one and ${event('count.one', 'go on')}.`,
      `- If it is count.one, answer with the word two and ${event('count.two', 'go on')}.`,
      '- If it is count.two, answer with the word three, and end with the line LOOP_COMPLETE.',
    ].join('\n'),
    scenario: script(
      ['Event: count.two', `three\n${DONE}`],
      ['Event: count.one', `two\n${event('count.two')}`],
      ['Event: task.start', `one\n${event('count.one')}`],
    ),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    terminationReason(observed, 'completed'),
    iterationCount(observed, 3),
    agentSays(observed, 1, 'one'),
    agentSays(observed, 2, 'two'),
    agentSays(observed, 3, 'three'),
    promptContains(observed, 3, 'Count to three'),
  ],
  baselines: [
    {
      condition: 'only two iterations are allowed',
      expectedFailure: 'the work is not completed',
      whyItMatters: 'three answers in one iteration would pass too',
      change: (setup) => configured(setup, { event_loop: { max_iterations: 2 } }),
      fails: ['exit code 0', '3 iterations', 'output 3 has "three"'],
    },
  ],
};

const completion: SuiteCase = {
  id: 'completion',
  specifiedAs: () => 'claude-completion',
  description: 'The promise completes the loop, also in its last allowed iteration, and only as a separate line',
  tier: 'Orchestration',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 2,
  quality: [
    {
      name: 'completion',
      optimal: 'the promise alone on the last line, when the work is done',
      acceptable: 'the promise after a final remark',
      concerning: 'the promise is mentioned long before the work is done',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt: [
      'Finish in the second iteration, and use no tools.',
      '- If the pending event is task.start, answer only with this sentence: "I will say LOOP_COMPLETE when it is done."',
      '- If it is task.resume, answer only with the line LOOP_COMPLETE.',
    ].join('\n'),
    scenario: script(
      // Only the promise: a marker that a CLI puts in front of its answer must not hide it.
      ['Event: task.resume', 'LOOP_COMPLETE'],
      ['Event: task.start', 'Iteration 3 of 3: I will say LOOP_COMPLETE when it is done.'],
    ),
  }),
  check: (observed) => [exitCode(observed, 0), terminationReason(observed, 'completed'), iterationCount(observed, 2)],
  baselines: [
    {
      condition: 'the promise is only part of a sentence',
      expectedFailure: 'the loop reaches its limit',
      whyItMatters: 'a loop that always ends as completed would pass too',
      change: (setup) => ({
        ...setup,
        scenario: script(['Event: task', 'It is done; I say LOOP_COMPLETE, but in a sentence.']),
      }),
      fails: ['exit code 0', 'terminated: completed'],
    },
  ],
};

const NOTE = `mkdir -p .ralph/agent; printf 'the lexer %s\\n' 'is written' > .ralph/agent/scratchpad.md`;

const scratchpad: SuiteCase = {
  id: 'scratchpad-carry',
  description: 'The next iteration is shown what the previous one wrote in the scratchpad',
  tier: 'Orchestration',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 2,
  quality: [
    {
      name: 'notes',
      optimal: 'one short note that the next iteration uses',
      acceptable: 'a long note with little that is useful',
      concerning: 'work that the note mentions is done again',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    // The words of the note must not be in the first prompt.
    prompt: [
      'Leave yourself a note.',
      `- If you are shown no note about the lexer, run this command in your shell: ${NOTE}`,
      '  Then say "Noted." and end your turn without the line LOOP_COMPLETE.',
      '- If you are shown the note, say "I see my note." and end with the line LOOP_COMPLETE.',
    ].join('\n'),
    scenario: script(
      ['the lexer is written', 'I see my note.\nLOOP_COMPLETE'],
      ['Event: task.start', afterCommand(NOTE, 'Noted.')],
    ),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    promptContains(observed, 1, 'the lexer is written', false),
    promptContains(observed, 2, 'the lexer is written'),
    agentSays(observed, 2, 'I see my note.'),
  ],
  baselines: [
    {
      condition: 'the scratchpad is another file',
      expectedFailure: 'the next iteration does not see the note',
      whyItMatters: 'it shows that the note comes from the scratchpad',
      change: (setup) => configured(setup, { core: { scratchpad: 'elsewhere.md' } }),
      fails: ['prompt 2 has "the lexer is written"', 'output 2 has "I see my note."'],
    },
  ],
};

/** Tier 2: the loop itself. */
export const orchestrationCases: readonly SuiteCase[] = [singleIteration, multiIteration, completion, scratchpad];
