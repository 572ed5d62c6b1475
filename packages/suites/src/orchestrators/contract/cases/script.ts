import { shellWord } from '@understudy/kit';
import type { Failure, Response, Rule, ScenarioDocument } from '@understudy/script';
import type { GenericBaseline, GenericSetup, RunPlan } from '../generic-case.js';

/** A word that every prompt of the suite has. */
export const MARK = 'TASK-4711';

/** How long an agent that hangs does so. */
const FOR_EVER_MS = 600_000;

/** Stands for an answer that is not the last one: in each call another, as some orchestrators end at a repeated one. */
export const STILL_AT_IT = 'Some of it is there. There is more to do.';

const PROGRESS = [
  STILL_AT_IT,
  'The parser reads two of five formats now; dates follow.',
  'I renamed a helper and split the longest function. Next: its callers.',
  'Four tests are green, one is red because of a missing fixture.',
  'Error messages name the line. The exit code is still wrong.',
  'Wrote half of the manual; the chapter about options is open.',
  'Measured it: slow at startup. A cache could help.',
];

/** What the agent answers, call by call; the last answer is for all that follow. */
export function answers(...given: (Response | { failure: Failure })[]): ScenarioDocument {
  const each =
    given.at(-1) === STILL_AT_IT ? [...given, ...PROGRESS.slice(given.length).map(() => STILL_AT_IT)] : given;
  const rules = each.map((answer, index): Rule => {
    const when = index === each.length - 1 ? {} : { when: { call: index + 1 } };
    const said = answer === STILL_AT_IT ? (PROGRESS[index] ?? answer) : answer;
    const played = typeof said === 'object' && 'failure' in said ? said : { response: said };
    return { pattern: { type: 'any' }, ...when, ...played, optional: true };
  });
  return { responses: rules };
}

export function done(promise: string): string {
  return `All of it is done.\n${promise}`;
}

export const hang: Response = { text: 'It took long.', delay_ms: FOR_EVER_MS };

/** An answer that runs a command first. */
export function afterCommand(command: string, text: string): Exclude<Response, string> {
  return { text, tool_calls: [{ tool: 'Bash', input: { command } }] };
}

/** The script with an agent that changes a file before each of its answers. */
export function withWork(scenario: ScenarioDocument, file: string | undefined): ScenarioDocument {
  if (file === undefined) return scenario;
  const work = afterCommand(`echo "one more line" >> ${shellWord(file)}`, '');
  return {
    ...scenario,
    responses: (scenario.responses ?? []).map((rule) =>
      typeof rule.response === 'string' ? { ...rule, response: { ...work, text: rule.response } } : rule,
    ),
  };
}

/** One run, with these answers. */
export function setupOf(scenario: ScenarioDocument, more: Partial<GenericSetup> = {}): GenericSetup {
  return { prompt: `${MARK}: build it.`, iterations: 6, folder: 'project', runs: [{ scenario }], ...more };
}

/** The setup with another script for one of its runs (from 0). */
export function scripted(setup: GenericSetup, scenario: ScenarioDocument, run = 0): GenericSetup {
  const runs = setup.runs.map((plan, index): RunPlan => (index === run ? { ...plan, scenario } : plan));
  return { ...setup, runs };
}

/** The variant in which the agent never says that it is done. */
export function neverDone(fails: readonly string[] = ['says complete']): GenericBaseline {
  return {
    condition: 'the agent never gives the promise',
    expectedFailure: 'the orchestrator ends at its limit',
    whyItMatters: 'an orchestrator that always says complete would pass too',
    change: (setup) => ({ ...scripted(setup, answers(STILL_AT_IT)), iterations: 1, timeoutMs: 5000 }),
    fails,
  };
}

/** The variant in which the agent is done earlier. */
export function doneAtOnce(promise: string, fails: readonly string[]): GenericBaseline {
  return {
    condition: 'the agent gives the promise at once',
    expectedFailure: 'the orchestrator ends after one call',
    whyItMatters: 'it shows that the calls follow from what the agent says',
    change: (setup) => scripted(setup, answers(done(promise)), setup.runs.length - 1),
    fails,
  };
}
