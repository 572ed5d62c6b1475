import { isObject, type JsonObject } from '@understudy/kit';
import { REFUSED } from '../refused.js';
import { type LiveTool, refuse } from '../tools/live-tool.js';

/** The tool with which an agent asks the person behind the host. */
export const askUser: LiveTool = {
  parameters: { questions: { type: 'array', required: true }, answers: { type: 'record' } },
  check: ({ questions }) => checkNumbers(questions),
  async run({ questions, answers }) {
    const given = isObject(answers) ? answers : {};
    return { content: answersText(questions, given), useResult: { questions, answers: given } };
  },
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

/** What the agent reads of the answers: of those to its own questions. */
function answersText(questions: unknown, answers: JsonObject): string {
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
