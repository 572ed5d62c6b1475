import { type Case, control, LIVING, RECORD_PAYLOAD, STREAM, type Step, say, tool, user } from '../case.js';
import { agent } from './parts.js';

const SHOWN = ['--include-hook-events', '--allowedTools', 'Bash', 'Agent'];
const PRINT = [...STREAM, 'go', ...SHOWN];
const LIVE = [...LIVING, ...SHOWN];

interface HookEntry {
  command: string;
  [field: string]: unknown;
}

const hooks = (byEvent: Record<string, HookEntry[]>) => ({
  '.claude/settings.json': {
    hooks: Object.fromEntries(
      Object.entries(byEvent).map(([event, entries]) => [
        event,
        // What a subagent is started with is of no interest.
        [{ ...(event.endsWith('ToolUse') ? { matcher: 'Bash' } : {}), hooks: entries.map(command) }],
      ]),
    ),
  },
});

/** It reads its input, so that nothing depends on when that is written. */
const command = ({ command: line, ...more }: HookEntry) => {
  return { type: 'command', command: line === RECORD_PAYLOAD ? line : `cat >/dev/null; ${line}`, ...more };
};

/** The model takes longer than the hooks. */
const slow = (step: Step): Step => ({ ...step, lagMs: 900 });
const bash = (line: string): Step => tool('Bash', { command: line });

/** Words that `told.ts` takes for those of a hook: the CLI does not say whose they are. */
const says = (event: string, more: object = {}) =>
  `echo '${JSON.stringify({
    systemMessage: `Late hook success: message of ${event}`,
    hookSpecificOutput: { hookEventName: event, additionalContext: `context of ${event}` },
    ...more,
  })}'`;

const aside = (line: string, more: object = {}): HookEntry => ({ command: line, async: true, ...more });
const waker = (line: string, more: object = {}): HookEntry => ({ command: line, asyncRewake: true, ...more });
const once = (line: string) => `[ -e "$HOME/once" ] && exit 0; touch "$HOME/once"; ${line}`;

const waitFor = (at: number) => `until [ -e "$HOME/${at}" ]; do sleep 0.02; done`;

/** Hooks that end one after the other, however busy the machine is. */
const after = (at: number, line: string, exitCode = 0): HookEntry => {
  return aside(`${waitFor(at - 1)}; sleep 0.2; ${line}; touch "$HOME/${at}"; exit ${exitCode}`, {
    if: 'Bash(echo one)',
  });
};

/** Hooks that the CLI does not wait for, and those that wake the agent. */
export const BACKGROUND_HOOK_CASES: readonly Case[] = [
  {
    name: 'hooks that are not waited for',
    args: PRINT,
    files: hooks({
      UserPromptSubmit: [aside(`sleep 0.2; ${says('UserPromptSubmit', { decision: 'block', reason: 'no' })}`)],
      PreToolUse: [aside(`sleep 0.1; ${says('PreToolUse', { decision: 'block', reason: 'no' })}`)],
      PostToolUse: [aside(`sleep 0.2; ${says('PostToolUse')}; echo bad >&2; exit 2`)],
      Stop: [aside('sleep 20')],
    }),
    turns: [[slow(bash('sleep 0.6; echo one')), slow(bash('sleep 0.6; echo two')), slow(say('done'))]],
  },
  {
    name: 'what hooks say that are not waited for',
    // Whether a host hears of progress depends on the clock, so it is told nothing.
    args: [...STREAM, 'go', '--allowedTools', 'Bash'],
    files: hooks({
      PostToolUse: [
        after(1, 'echo out; echo bad >&2', 2),
        after(2, 'echo words'),
        after(3, 'true', 1),
        after(4, `echo words; ${says('PostToolUse', { decision: 'maybe', other: 1, suppressOutput: true })}`),
        after(5, `echo '{"other": 1}'`),
        { command: `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"at once"}}'` },
      ],
    }),
    turns: [[bash('echo one'), bash(`touch "$HOME/0"; ${waitFor(5)}; sleep 0.4`), say('done')]],
  },
  {
    name: 'a hook that says that it goes on',
    args: LIVE,
    files: hooks({
      Stop: [
        {
          command: once(
            `echo '{"async": true}'; sleep 0.5; printf '{\\n"systemMessage": "Late hook success: whole"\\n}\\n'`,
          ),
        },
      ],
    }),
    talk: [user('go'), { until: 'result' }, { until: 'hook_response' }, user('more'), { until: 'result' }],
    turns: [[say('done')], [say('more done')]],
  },
  {
    name: 'a hook of the start that is not waited for',
    args: LIVE,
    files: hooks({ SessionStart: [aside(`sleep 0.6; ${says('SessionStart')}`)] }),
    talk: [...control('init', { subtype: 'initialize' }), { until: 'hook_response' }, user('go'), { until: 'result' }],
  },
  {
    name: 'hooks of a subagent that are not waited for',
    args: PRINT,
    files: hooks({ PostToolUse: [aside(`sleep 0.1; ${says('PostToolUse')}`)] }),
    turns: [
      [
        agent('look', { run_in_background: false }, [bash('echo one'), slow(bash('echo two')), slow(say('seen'))]),
        slow(say('done')),
      ],
    ],
  },
  {
    name: 'hooks that wake the agent, in print mode',
    args: PRINT,
    files: hooks({
      PostToolUse: [waker('echo bad >&2; exit 2', { rewakeMessage: 'Look:' })],
      Stop: [waker(once('echo out; echo no >&2; exit 2'), { rewakeSummary: 'Feedback' })],
    }),
    turns: [[bash('echo one'), say('done')], [say('done again')]],
  },
  {
    name: 'a hook that wakes the agent',
    args: LIVE,
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
    files: hooks({
      UserPromptSubmit: [{ command: RECORD_PAYLOAD }],
      Stop: [waker(`sleep 0.4; ${once('echo out; echo no >&2; exit 2')}`)],
    }),
    talk: [
      ...[user('go'), { until: 'result' }, { until: 'result' }, { until: 'hook_response' }],
      ...[user('more'), { until: 'result' }, { until: 'hook_response' }],
    ],
    turns: [[say('done')], [say('more done')]],
  },
  {
    name: 'a hook that wakes the agent while it works',
    args: LIVE,
    files: hooks({
      PostToolUse: [
        waker(once('sleep 0.2; echo "a <b>"; exit 2'), { rewakeMessage: 'Look & see:', rewakeSummary: 'Found <b>' }),
      ],
      Stop: [{ command: RECORD_PAYLOAD }],
    }),
    talk: [user('go'), { until: 'result' }, user('more'), { until: 'result' }],
    turns: [[bash('echo one'), slow(bash('echo two')), slow(say('done'))], [say('more done')]],
  },
  {
    name: 'hooks that wake the agent or do not, after its work',
    args: LIVE,
    files: hooks({
      PreToolUse: [waker('echo no >&2; exit 1')],
      PostToolUse: [waker(`sleep 1.6; ${says('PostToolUse')}; exit 2`)],
      Stop: [{ command: RECORD_PAYLOAD }],
    }),
    talk: [user('go'), { until: 'result' }, { until: 'result' }],
    turns: [[bash('sleep 0.3; echo one'), say('done')]],
  },
  {
    name: 'a hook that takes too long to wake the agent',
    args: LIVE,
    files: hooks({ Stop: [waker('echo begun; sleep 20', { timeout: 1 })] }),
    talk: [user('go'), { until: 'result' }, { until: 'hook_response' }],
  },
  {
    name: 'a hook that wakes the agent before there is a prompt',
    args: LIVE,
    files: hooks({ SessionStart: [waker('sleep 0.6; echo no; exit 2')] }),
    talk: [...control('init', { subtype: 'initialize' }), { until: 'result' }, user('go'), { until: 'result' }],
  },
  {
    name: 'hooks that still run when the session ends',
    args: LIVE,
    files: hooks({
      Stop: [aside('echo begun; sleep 20'), waker('sleep 1; echo no >&2; exit 2')],
      SessionEnd: [{ command: RECORD_PAYLOAD }],
    }),
    talk: [user('go'), { until: 'result' }, { wait: 300 }],
  },
  {
    name: 'a hook that writes little by little',
    args: PRINT,
    files: hooks({ Stop: [{ command: 'echo a; echo b >&2; sleep 1.5; echo c' }] }),
  },
];
