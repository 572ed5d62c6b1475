import { type Case, STREAM, type Step, say, tool } from '../case.js';
import { agent, userHooks } from './parts.js';

const BASH = tool('Bash', { command: 'echo hi' });
const WRITE = tool('Write', { file_path: 'x', content: 'y' });
const LOOK = agent('look', { run_in_background: false }, [say('found')]);
const specific = (fields: object): object => ({ hookSpecificOutput: fields });

/** A hook that says something which the CLI does not understand. */
const wrong = (name: string, event: string, output: unknown, exitCode = 0, steps: Step[] = [BASH]): Case => {
  const words = typeof output === 'string' ? output : JSON.stringify(output);
  return {
    name: `wrong output of a hook: ${name}`,
    args: [...STREAM, 'go', '--include-hook-events'],
    files: userHooks({ [event]: `cat >/dev/null; echo '${words}'; echo err >&2; exit ${exitCode}` }),
    turns: [[...steps, say('done')]],
  };
};

/** What hooks say in JSON that is not as the CLI wants it counts for nothing. */
export const WRONG_OUTPUT_CASES: readonly Case[] = [
  wrong('another kind of value', 'PreToolUse', { continue: 'no', decision: 'block' }),
  wrong('a decision that there is not', 'PreToolUse', { decision: 'deny', reason: 'no' }),
  wrong('no name of the event', 'PreToolUse', specific({ permissionDecision: 'deny' })),
  wrong('no object', 'PreToolUse', { hookSpecificOutput: 'deny' }),
  wrong('an unknown event', 'PreToolUse', specific({ hookEventName: 'BeforeTool', permissionDecision: 'deny' })),
  wrong('another event', 'PreToolUse', specific({ hookEventName: 'PostToolUse', additionalContext: 'more' })),
  wrong('an unknown decision', 'PreToolUse', specific({ hookEventName: 'PreToolUse', permissionDecision: 'no' })),
  wrong('fields of its own', 'PreToolUse', { permissionDecision: 'deny', more: 1 }),
  wrong('not quite JSON', 'PreToolUse', '{"decision" "block"}'),
  wrong('half of JSON', 'PreToolUse', '{"decision": "block"'),
  wrong('exit code 2', 'PreToolUse', specific({ permissionDecision: 'allow' }), 2),
  wrong('another event and exit code 2', 'PreToolUse', specific({ hookEventName: 'Stop' }), 2),
  wrong('exit code 1', 'PreToolUse', { continue: 'no' }, 1),
  wrong('a prompt', 'UserPromptSubmit', specific({ additionalContext: 'more' })),
  wrong('not quite JSON about a prompt', 'UserPromptSubmit', '{note} {this}'),
  wrong('the start', 'SessionStart', specific({ additionalContext: 'more' })),
  wrong('the end of a turn', 'Stop', { decision: 'deny', reason: 'go on' }),
  wrong('another event at the end of a turn', 'Stop', specific({ hookEventName: 'SubagentStop' })),
  wrong('the end of a session', 'SessionEnd', { continue: 'no' }),
  wrong('behind a tool', 'PostToolUse', specific({ additionalContext: 'more' })),
  wrong('another event behind a tool', 'PostToolUse', specific({ hookEventName: 'PreToolUse' })),
  wrong('a tool that failed', 'PostToolUseFailure', specific({}), 0, [tool('Bash', { command: 'false' })]),
  wrong('tools', 'PostToolBatch', specific({ hookEventName: 'PostToolBatch', additionalContext: 1 })),
  wrong('a permission', 'PermissionRequest', specific({ hookEventName: 'PermissionRequest', decision: 'allow' }), 0, [
    WRITE,
  ]),
  wrong('a message', 'MessageDisplay', specific({ hookEventName: 'MessageDisplay', displayContent: 1 })),
  wrong('the start of a subagent', 'SubagentStart', specific({ additionalContext: 'more' }), 0, [LOOK]),
  wrong('the end of a subagent', 'SubagentStop', { decision: 'deny', reason: 'go on' }, 0, [LOOK]),
];
