import type { Response, Rule, ScenarioDocument } from '@understudy/script';
import type { CaseSetup } from '../../orchestrators/case.js';

/** A script: words of the prompt, and the answer to it. The first rule that matches answers. */
export function script(...rules: [words: string, response: Response][]): ScenarioDocument {
  return {
    default_response: 'I am still thinking about it.',
    responses: rules.map(
      ([text, response]): Rule => ({ pattern: { type: 'contains', text }, response, optional: true }),
    ),
  };
}

/** An event as an agent writes it. */
export function event(topic: string, payload = ''): string {
  return `<event topic="${topic}">${payload}</event>`;
}

/** An answer that runs a command first. */
export function afterCommand(command: string, text: string): Response {
  return { text, tool_calls: [{ tool: 'Bash', input: { command } }] };
}

/** The setup with parts of its configuration replaced. */
export function configured(setup: CaseSetup, config: CaseSetup['config']): CaseSetup {
  return { ...setup, config: { ...setup.config, ...config } };
}

/** The evidence that `build.done` needs; Ralph asks for the second half since 2.4.2. */
export const EVIDENCE =
  'tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass';
export const DONE = 'All of it is done.\nLOOP_COMPLETE';
