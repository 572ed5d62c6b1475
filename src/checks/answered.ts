import { pick } from '../conversation/turn.js';
import { isObject } from '../document/json.js';
import type { Observed } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';

/** The tool with which an agent asks the user something. */
export const QUESTION_TOOL = 'AskUserQuestion';

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
