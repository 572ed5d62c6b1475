import { type Case, LIVING, RECORD_PAYLOAD, STREAM, type Step, say, tool } from '../case.js';
import { says } from './parts.js';

const options = (...labels: string[]) => labels.map((label) => ({ label, description: `takes ${label}` }));
const ONE = { question: 'Which?', header: 'Kind', options: options('A', 'B'), multiSelect: false };
const MANY = { question: 'And?', header: 'More', options: options('C', 'D'), multiSelect: true };
const ask = (...questions: object[]): Step => tool('AskUserQuestion', { questions });
const allow = (updatedInput: object = {}) => ({ behavior: 'allow', updatedInput });
const answer = (answers: object) => allow({ answers });

const host = (name: string, step: Step, hostAnswer: Record<string, unknown>, args: string[] = []): Case => ({
  name: `a person is asked: ${name}`,
  args: [...LIVING, '--permission-prompt-tool', 'stdio', ...args],
  turns: [[step, say('done')]],
  talk: says('go'),
  hostAnswer,
});
const EVENTS = ['PreToolUse', 'PermissionRequest', 'PostToolUse'];
const HEARD = {
  'HOME/.claude/settings.json': {
    hooks: Object.fromEntries(
      EVENTS.map((event) => [event, [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }]]),
    ),
  },
};
const PLAN = ['--permission-mode', 'plan'];
const EXIT = tool('ExitPlanMode', { plan: 'My plan' });
const ENTER = tool('EnterPlanMode', {});
/** What may be written after it. */
const thenWrite = (test: Case): Case => ({
  ...test,
  turns: [...(test.turns ?? []), [tool('Write', { file_path: 'x', content: 'y' }), say('more')]],
  talk: says('go', 'then'),
});
const NO = { behavior: 'deny', message: 'not now' };

/** Tools with which the agent turns to the person behind the host. */
export const ASKING_TOOL_CASES: readonly Case[] = [
  { ...host('an answer', ask(ONE), answer({ 'Which?': 'B' })), files: HEARD },
  host('two answers', ask(ONE, MANY), answer({ 'Which?': 'B', 'And?': 'C, D' })),
  host('one answer of two', ask(ONE, MANY), answer({ 'And?': 'D' })),
  host('an answer of their own', ask(ONE), answer({ 'Which?': 'neither', 'Nobody?': 'x' })),
  host('no answer', ask(ONE), allow()),
  host('a refusal', ask(ONE), NO),
  host('a question that a rule allows', ask(ONE), answer({ 'Which?': 'B' }), ['--allowedTools', 'AskUserQuestion']),
  host('no question', ask(), allow()),
  host('five questions', ask(...[1, 2, 3, 4, 5].map((at) => ({ ...ONE, question: `${at}?` }))), allow()),
  host('one option', ask({ ...ONE, options: options('A') }), allow()),
  host('five options', ask({ ...ONE, options: options('A', 'B', 'C', 'D', 'E') }), allow()),
  { name: 'nobody is there to be asked', args: [...STREAM, 'go'], turns: [[ask(ONE), say('done')]] },
  { ...host('a plan that is good', EXIT, allow(), PLAN), files: HEARD },
  thenWrite(host('a plan that is good, and then', EXIT, allow(), PLAN)),
  thenWrite(host('a plan that is not', EXIT, NO, PLAN)),
  thenWrite(
    host(
      'a plan, with another mode',
      EXIT,
      { ...allow(), updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
      PLAN,
    ),
  ),
  host('no plan', EXIT, allow()),
  { name: 'nobody is there for a plan', args: [...STREAM, 'go', ...PLAN], turns: [[EXIT, say('done')]] },
  thenWrite(host('a plan is begun', ENTER, NO)),
  thenWrite(host('a plan is begun again', ENTER, NO, PLAN)),
  {
    ...host('a plan is begun and ended', ENTER, allow(), ['--permission-mode', 'acceptEdits']),
    turns: [[ENTER, EXIT, tool('Write', { file_path: 'x', content: 'y' }), say('done')]],
  },
];
