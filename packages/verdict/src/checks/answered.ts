import { isObject } from '@understudy/kit';
import { pick } from '@understudy/stage';
import { namesTool, unknownTools, unlessUnknown } from './known-names.js';
import { describeTool, type Observed, observedTools } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';

/** The tool with which an agent asks the user something. */
export const QUESTION_TOOL = 'AskUserQuestion';

/** Whether what the user refuses did not run: a tool for which nobody asks runs, whatever the step would have answered. */
export function checkDecided(seen: Observed, tool: string, decision: 'allow' | 'deny'): CheckResult[] {
  const asked = pick(seen.turn, 'permission').map((request) => request.tool);
  const ran = observedTools(seen.turn).filter(
    (call) => namesTool(tool, call.tool) && (call.result?.status === 'ok' || call.result?.status === 'error'),
  );
  const passed = decision === 'allow' || ran.length === 0 || asked.some((one) => namesTool(tool, one));
  const result: CheckResult = {
    name: 'permissions',
    category: 'permissions',
    subject: { kind: 'permission', tool },
    status: statusOf(passed),
    expected: `the user is asked about ${tool}, and says ${decision}`,
    actual: asked.length === 0 ? 'the user was asked nothing' : `the user was asked about ${asked.join(', ')}`,
    evidence: ran.map(describeTool),
    ...(passed
      ? {}
      : {
          suggestion:
            'Leave `permissions` out where the tool may run: it runs in a copy of the project. Else look at the mode and the rules, which allowed it without a question.',
        }),
  };
  const judged = ifReported(seen, 'permissions', unlessUnknown(result, 'tool', unknownTools(seen, [tool])));
  return judged.status === 'passed' ? [] : [judged];
}

/** The questions of one call of that tool. */
export function questionsIn({ questions }: Record<string, unknown>): string[] {
  return (Array.isArray(questions) ? questions : []).flatMap((one) => (isObject(one) ? [String(one['question'])] : []));
}

/** Whether the agent asked what the user has an answer for. */
export function checkAnswered(seen: Observed, question: string): CheckResult {
  const asked = pick(seen.turn, 'permission').flatMap(({ tool, input }) =>
    tool === QUESTION_TOOL && isObject(input) ? questionsIn(input) : [],
  );
  const passed = asked.includes(question);
  return ifReported(seen, 'permissions', {
    name: 'answers',
    category: 'permissions',
    subject: { kind: 'permission', tool: QUESTION_TOOL },
    status: statusOf(passed),
    expected: `the agent asks ${JSON.stringify(question)}`,
    actual:
      asked.length === 0 ? 'the agent asked nothing' : `it asked ${asked.map((one) => JSON.stringify(one)).join(', ')}`,
    evidence: asked,
    ...(passed ? {} : { suggestion: 'Write the question in `answers` as the agent asks it, or take it away.' }),
  });
}
