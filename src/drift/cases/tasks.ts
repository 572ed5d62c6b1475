import { type Case, LIVING, PAYLOADS, STREAM, type Step, say, tool } from '../case.js';
import { recorded, SESSION, says } from './parts.js';

const create = (subject: string, more: Record<string, unknown> = {}): Step =>
  tool('TaskCreate', { subject, description: `do ${subject}`, ...more });
const update = (taskId: string, more: Record<string, unknown> = {}): Step => tool('TaskUpdate', { taskId, ...more });
const complete = (taskId: string): Step => update(taskId, { status: 'completed' });
const get = (taskId: string): Step => tool('TaskGet', { taskId });
const LIST = tool('TaskList', {});
const todos = (status: string, ...contents: string[]): Step =>
  tool('TodoWrite', { todos: contents.map((content) => ({ content, status, activeForm: content })) });

const TOOLS = ['--tools', 'TaskCreate,TaskGet,TaskList,TaskUpdate'];
const EVENTS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'TaskCreated', 'TaskCompleted'];

/** A hook that keeps its payload; what else it does depends on the name of the task. */
const JUDGE = `p=$(cat); echo "$p" >> "$HOME/../${PAYLOADS}"; case "$p" in ${[
  ['refused', 'echo out; echo not this one >&2; exit 2'],
  ['silent', 'exit 2'],
  ['failed', 'echo out; echo no matter >&2; exit 1'],
  ['blocked', `echo '{"decision":"block","reason":"not now"}'`],
  ['baseless', `echo '{"decision":"block"}'`],
  ['stopped', `echo '{"continue":false,"stopReason":"enough"}'`],
  ['told', `echo '{"systemMessage":"hear"}'`],
]
  .map(([subject, does]) => `*'"${subject}"'*) ${does};;`)
  .join(' ')} esac`;
const LATER = 'sleep 0.3; grep -q refused || exit 0; echo nor this one >&2; exit 2';
const commands = (...lines: string[]): object[] => [{ hooks: lines.map((command) => ({ type: 'command', command })) }];

/** The list of tasks that agents keep, and the hooks that hear of it. */
export const TASK_CASES: Case[] = [
  {
    name: 'tasks',
    args: [...STREAM, 'go', ...TOOLS],
    files: recorded(EVENTS),
    turns: [
      [
        LIST,
        get('1'),
        create('one', { activeForm: 'Doing one', metadata: { a: 1, b: 2 } }),
        create(''),
        tool('TaskCreate', { title: 'three' }),
        tool('TaskCreate', { description: `${'four '.repeat(20)}\nand more`, other: 1 }),
        tool('TaskCreate', { subject: 5, description: 'x', other: 1, metadata: 'y' }),
        tool('TaskGet', { id: '1' }),
        tool('TaskUpdate', {
          id: '1',
          subject: 'uno',
          description: 'do one',
          owner: 'me',
          metadata: { a: null, c: 3 },
        }),
        update('1'),
        update('1', { status: 'done' }),
        update('1', { addBlocks: [2] }),
        update('1', { status: 'in_progress', addBlocks: ['2', '3'] }),
        update('4', { addBlockedBy: ['1', '3', '9'], activeForm: 'Doing four' }),
        update('4', { addBlockedBy: ['1'], owner: '' }),
        update('9', { status: 'completed' }),
        LIST,
        complete('1'),
        complete('1'),
        update('3', { status: 'deleted', subject: 'gone' }),
        LIST,
        get('1'),
        get('4'),
        create('five'),
        say('done'),
      ],
    ],
  },
  {
    name: 'tasks that hooks object to',
    args: [...STREAM, 'go', ...TOOLS, '--include-hook-events'],
    files: {
      '.claude/settings.json': {
        hooks: { TaskCreated: commands(JUDGE), TaskCompleted: commands(JUDGE, LATER) },
      },
    },
    turns: [
      [
        ...['refused', 'silent', 'failed', 'blocked', 'baseless', 'stopped', 'told'].map((subject) => create(subject)),
        LIST,
        ...['3', '6', '7'].map(complete),
        create('fine'),
        update('8', { subject: 'refused' }),
        update('8', { status: 'completed', subject: 'late' }),
        update('8', { subject: 'blocked' }),
        complete('8'),
        LIST,
        say('done'),
      ],
    ],
  },
  {
    name: 'tasks of a session that goes on, and of its subagent',
    args: [...STREAM, 'go', '--resume', SESSION, '--allowedTools', 'TodoWrite', 'Agent'],
    files: recorded(EVENTS),
    before: [
      {
        args: ['-p', 'before', '--session-id', SESSION, ...TOOLS],
        turns: [[create('one'), create('two'), update('2', { status: 'deleted' }), say('done')]],
      },
    ],
    turns: [
      [
        LIST,
        {
          ...tool('Agent', {
            ...{ description: 'look', prompt: 'look around', subagent_type: 'general-purpose' },
            run_in_background: false,
          }),
          subagent: [LIST, create('three'), complete('1'), say('seen')],
        },
        LIST,
        todos('pending', 'a'),
        say('done'),
      ],
    ],
  },
  {
    name: 'tasks that nobody has asked for',
    args: [...STREAM, 'go'],
    turns: [[create('one'), LIST, todos('pending', 'a'), say('done')]],
  },
  {
    name: 'todos where tasks are turned off',
    args: [...LIVING, '--allowedTools', 'TaskCreate'],
    env: { CLAUDE_CODE_ENABLE_TASKS: '0' },
    talk: says('go', 'more'),
    turns: [
      [create('one'), todos('pending', 'a'), todos('completed', 'a', 'b'), todos('pending', 'c'), say('done')],
      [todos('in_progress', 'c'), say('more done')],
    ],
  },
];
