import { defined } from '@understudy/kit';
import * as z from 'zod';
import { defineTool, readOnly, type Tool } from '../tool.js';

const verdict = {
  passed: z.boolean(),
  details: z.string(),
  evidence: z.array(z.string()).describe('pieces of the text that the verdict rests on'),
  suggestion: z.string().optional().describe('what to do about a failure'),
};

interface Verdict {
  status: string;
  expected: string;
  actual: string;
  evidence: string[];
  suggestion?: string | undefined;
}

function verdictOf({ status, expected, actual, evidence, suggestion }: Verdict) {
  return {
    passed: status === 'passed',
    details: `expected ${expected}; found ${actual}`,
    evidence,
    ...defined({ suggestion }),
  };
}

function words({ passed, details, suggestion }: { passed: boolean; details: string; suggestion?: string | undefined }) {
  return `${passed ? 'passed' : 'FAILED'}: ${details}${suggestion === undefined ? '' : `\n${suggestion}`}`;
}

const containsKeywords = defineTool({
  name: 'assert_contains_keywords',
  title: 'Assert that a text speaks of something',
  description: 'Checks that a text contains keywords: any of them, or all. "investigating" counts for "investigate".',
  annotations: readOnly,
  input: z.strictObject({
    text: z.string(),
    keywords: z.array(z.string()),
    require_all: z.boolean().default(false),
    case_sensitive: z.boolean().default(false),
    skip_negated: z.boolean().default(false).describe('"not systematic" does not count'),
  }),
  output: z.object({
    ...verdict,
    found_keywords: z.array(z.string()),
    missing_keywords: z.array(z.string()),
    match_ratio: z.number(),
  }),
  async run({ text, keywords, require_all, case_sensitive, skip_negated }) {
    const { checkKeywords } = await import('@understudy/verdict');
    const result = checkKeywords(text, keywords, {
      require: require_all ? 'all' : 'any',
      caseSensitive: case_sensitive,
      skipNegated: skip_negated,
    });
    return {
      ...verdictOf(result),
      found_keywords: result.found,
      missing_keywords: result.missing,
      match_ratio: result.matchRatio,
    };
  },
  text: words,
});

const workflowTransition = defineTool({
  name: 'assert_workflow_transition',
  title: 'Assert a move between two stages',
  description:
    'Checks that the actual stage is to_stage. With a workflow, also that it has the direct move; with a session_id, that one turn made it. Without these two, nothing is known about from_stage.',
  annotations: readOnly,
  input: z.strictObject({
    from_stage: z.string(),
    to_stage: z.string().describe('"capturing", or one iteration: "capturing-iteration-2"'),
    actual_stage: z.string().describe('from get_workflow_stage'),
    workflow: z.string().optional().describe('agent-loop, epti, visual-iteration, or a file'),
    session_id: z.string().optional(),
    allow_skip: z.boolean().default(false).describe('other stages may come between'),
  }),
  output: z.object({
    ...verdict,
    expected_transition: z.string(),
    actual_stage: z.string(),
    valid: z.boolean().describe('the workflow allows the move; without one, the stage is the expected one'),
  }),
  async run({ from_stage, to_stage, actual_stage, workflow, session_id, allow_skip }, context) {
    const { checkTransition } = await import('../harness/check-transition.js');
    const held = session_id === undefined ? undefined : (await context.harness()).conversations.find(session_id);
    const result = checkTransition({
      ...{ from: from_stage, to: to_stage, actual: actual_stage, allowSkip: allow_skip },
      ...defined({ workflow, conversation: held?.conversation }),
    });
    return {
      ...verdictOf(result),
      expected_transition: `${from_stage} -> ${to_stage}`,
      actual_stage,
      valid: result.valid,
    };
  },
  text: words,
});

const commandSuggested = defineTool({
  name: 'assert_command_suggested',
  title: 'Assert that a command is suggested',
  description:
    'Checks that a text suggests a slash command. One that is denied, reported as done, or part of a path does not count.',
  annotations: readOnly,
  input: z.strictObject({
    response: z.string(),
    command_name: z.string().describe('"/plan"'),
    allow_variations: z.boolean().default(true).describe('"use the plan command" counts, too'),
  }),
  output: z.object({
    ...verdict,
    command_found: z.string().nullable(),
    location: z.number().describe('the character at which it stands, or -1'),
    context: z.string(),
  }),
  async run({ response, command_name, allow_variations }) {
    const { checkCommandSuggested } = await import('@understudy/verdict');
    const result = checkCommandSuggested(response, command_name, { allowVariations: allow_variations });
    return {
      ...verdictOf(result),
      command_found: result.commandFound,
      location: result.location,
      context: result.context,
    };
  },
  text: words,
});

const errorHandled = defineTool({
  name: 'assert_error_handled_gracefully',
  title: 'Assert that an error is handled with grace',
  description: 'Checks that a text says what went wrong, shows no raw crash, and proposes how to go on.',
  annotations: readOnly,
  input: z.strictObject({
    response: z.string(),
    error_type: z.string().optional().describe('"file_not_found", "syntax_error" …: it must be about this'),
    should_recover: z.boolean().default(true).describe('it must propose how to go on'),
  }),
  output: z.object({
    ...verdict,
    graceful: z.boolean(),
    error_acknowledged: z.boolean(),
    recovery_suggested: z.boolean(),
    recovery_actions: z.array(z.string()),
  }),
  async run({ response, error_type, should_recover }) {
    const { checkErrorHandled } = await import('@understudy/verdict');
    const result = checkErrorHandled(response, {
      shouldRecover: should_recover,
      ...defined({ errorType: error_type }),
    });
    return {
      ...verdictOf(result),
      graceful: result.graceful,
      error_acknowledged: result.acknowledgesError,
      recovery_suggested: result.suggestsRecovery,
      recovery_actions: result.recoveryActions,
    };
  },
  text: words,
});

/** Assertions on texts and stages: pure, and the same that rehearsals use. */
export const assertionTools: readonly Tool[] = [containsKeywords, workflowTransition, commandSuggested, errorHandled];
