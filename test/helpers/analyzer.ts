import type { ScenarioDocument } from '../../packages/script/src/schema.js';

/** A small analyzer: one hat that explains. */
export const ANALYZER = `
event_loop: { completion_promise: ANALYSIS_COMPLETE, max_iterations: 1 }
hats:
  critic: { triggers: [analyze.request], publishes: [analyze.complete], instructions: Explain it. }
`;

/** What a model says that publishes this payload. */
export function publishing(payload: string): ScenarioDocument {
  return { default_response: `<event topic="analyze.complete">${payload}</event>\nANALYSIS_COMPLETE` };
}

/** What an analyzer answers about one failed case. */
export const diagnosis = {
  test: 'hat-single@claude',
  failure_type: 'PromptIneffective',
  root_cause_hypothesis: 'The hat was never asked.',
};
