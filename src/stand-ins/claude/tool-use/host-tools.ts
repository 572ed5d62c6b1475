import { join } from 'node:path';
import { isObject, type JsonObject } from '../../../document/json.js';
import { REFUSED } from '../refused.js';
import type { Session } from '../session/session.js';
import { type LiveTool, refuse } from '../tools/live-tool.js';

/** One of the tools with which an agent turns to the person behind the host. */
export function hostTool(session: Session, name: string): LiveTool | undefined {
  return TOOLS[name]?.(session);
}

const TOOLS: Record<string, (session: Session) => LiveTool> = {
  AskUserQuestion: () => ({
    parameters: { questions: { type: 'array', required: true }, answers: { type: 'record' } },
    check: ({ questions }) => checkNumbers(questions),
    async run({ questions, answers }) {
      const given = isObject(answers) ? answers : {};
      return { content: toldAnswers(questions, given), useResult: { questions, answers: given } };
    },
  }),
  EnterPlanMode: (session) => ({
    parameters: {},
    async run() {
      if (session.mode !== 'plan') {
        session.modeBeforePlan = session.mode;
        changeMode(session, 'plan');
      }
      return { content: `${ENTERED}\n\n${PLANNING}`, useResult: { message: ENTERED } };
    },
  }),
  ExitPlanMode: (session) => ({
    parameters: { allowedPrompts: { type: 'array' } },
    // The plan is in a file of its own.
    repair: ({ plan, ...rest }) => rest,
    check: () => (session.mode === 'plan' ? undefined : NOT_PLANNING),
    async run() {
      // Who allowed it may have chosen another mode.
      if (session.mode === 'plan') changeMode(session, session.modeBeforePlan);
      const filePath = join(session.parts.paths.dir, 'plans', `${session.id}.md`);
      return { content: APPROVED, useResult: { plan: null, isAgent: false, filePath } };
    },
  }),
};

/** The most questions of a call, and options of a question. */
const MOST = 4;

/** A call needs a question, and a question two options. The CLI has words for each other number. */
function checkNumbers(questions: unknown): undefined {
  const asked = Array.isArray(questions) ? questions.filter(isObject) : [];
  const isIn = (list: unknown, least: number): boolean =>
    !Array.isArray(list) || (list.length >= least && list.length <= MOST);
  if (!isIn(questions, 1) || !asked.every(({ options }) => isIn(options, 2))) refuse(REFUSED.otherQuestions);
}

function changeMode(session: Session, mode: Session['mode']): void {
  session.mode = mode;
  session.out.system('status', { status: null, permissionMode: mode });
}

/** What the agent reads of the answers: of those to its own questions. */
function toldAnswers(questions: unknown, answers: JsonObject): string {
  const asked = (Array.isArray(questions) ? questions : []).filter(isObject);
  const given = asked.filter(({ question }) => answers[String(question)] !== undefined);
  if (given.length === 0) return 'The user did not answer the questions.';
  const told = given.map(({ question }) => `"${String(question)}"="${String(answers[String(question)])}"`).join(', ');
  return given.every((question) => isChoice(question, String(answers[String(question['question'])])))
    ? `Your questions have been answered: ${told}. You can now continue with these answers in mind.`
    : `The user answered: ${told}. Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.`;
}

/** Whether an answer is one of the options, or several where several can be chosen. */
function isChoice({ options, multiSelect }: JsonObject, answer: string): boolean {
  const labels = (Array.isArray(options) ? options : []).filter(isObject).map(({ label }) => label);
  return (multiSelect === true ? answer.split(', ') : [answer]).every((choice) => labels.includes(choice));
}

const ENTERED =
  'Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach.';
const PLANNING = [
  'In plan mode, you should:',
  '1. Thoroughly explore the codebase to understand existing patterns',
  '2. Identify similar features and architectural approaches',
  '3. Consider multiple approaches and their trade-offs',
  '4. Use AskUserQuestion if you need to clarify the approach',
  '5. Design a concrete implementation strategy',
  '6. When ready, use ExitPlanMode to present your plan for approval',
  '',
  'Remember: DO NOT write or edit any files yet. This is a read-only exploration and planning phase.',
].join('\n');
const APPROVED = 'User has approved exiting plan mode. You can now proceed.';
const NOT_PLANNING =
  'You are not in plan mode. To enter plan mode, call the EnterPlanMode tool first. If your plan was already approved, continue with implementation.';
