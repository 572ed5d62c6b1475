import type { Failure, Response, Rule, ScenarioDocument } from '../../../scenario/schema.js';
import type { GenericBaseline, GenericSetup, RunPlan } from '../generic-case.js';

/** A word that every prompt of the suite has. */
export const MARK = 'TASK-4711';

/** How long an agent that hangs does so. */
const FOR_EVER_MS = 600_000;

export const STILL_AT_IT = 'Some of it is there. There is more to do.';

/** What the agent answers, call by call; the last answer is for all that follow. */
export function answers(...each: (Response | { failure: Failure })[]): ScenarioDocument {
  const rules = each.map((answer, index): Rule => {
    const when = index === each.length - 1 ? {} : { when: { call: index + 1 } };
    const played = typeof answer === 'object' && 'failure' in answer ? answer : { response: answer };
    return { pattern: { type: 'any' }, ...when, ...played, optional: true };
  });
  return { responses: rules, tool_execution: { mode: 'live' } };
}

export function done(promise: string): string {
  return `All of it is done.\n${promise}`;
}

export const hang: Response = { text: 'It took long.', delay_ms: FOR_EVER_MS };

/** An answer that runs a command first. */
export function afterCommand(command: string, text: string): Response {
  return { text, tool_calls: [{ tool: 'Bash', input: { command } }] };
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
