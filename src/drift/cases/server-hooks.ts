import { type Case, STREAM, type Step, say, tool, type WebAnswer } from '../case.js';
import { agent, JUDGE, JUDGE_SOURCE } from './parts.js';

const BASH = tool('Bash', { command: 'echo hi' });
const WRITE = tool('Write', { file_path: 'x', content: 'y' });
const LOOK = agent('look', { run_in_background: false }, [say('found')]);
const HOOKS = [...STREAM, 'go', '--include-hook-events'];
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } });
const DENY = specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'not so' });
const BLOCK = { decision: 'block', reason: 'not so' };

interface Web {
  answers?: WebAnswer[];
  steps?: Step[];
  more?: object;
  settings?: object;
}

const hooksOf = (event: string, hook: object) => ({ hooks: { [event]: [{ hooks: [hook] }] } });

const web = (name: string, event: string, { answers = [{}], steps = [BASH], more, settings }: Web = {}): Case => ({
  name: `hook of a server: ${name}`,
  args: HOOKS,
  files: {
    'HOME/.claude/settings.json': {
      ...hooksOf(event, { type: 'http', url: `HOOK_URL/${event}`, ...more }),
      ...settings,
    },
  },
  env: { HOOK_TOKEN: 'secret', HOOK_OTHER: 'other' },
  turns: [[...steps, say('done')]],
  webAnswers: answers,
});

const called = (name: string, event: string, input: object = {}, more: object = {}, steps: Step[] = [BASH]): Case => ({
  name: `hook of a tool: ${name}`,
  args: [...HOOKS, '--mcp-config', JUDGE],
  files: {
    'server.mjs': JUDGE_SOURCE,
    'HOME/.claude/settings.json': hooksOf(event, { type: 'mcp_tool', server: 'srv', tool: 'judge', input, ...more }),
  },
  turns: [[...steps, say('done')]],
});
const json = (value: object) => ({ text: JSON.stringify(value) });

/** Hooks of type `http` and `mcp_tool`: a server decides. */
export const SERVER_HOOK_CASES: readonly Case[] = [
  web('nothing to say', 'PreToolUse'),
  web('PreToolUse denies', 'PreToolUse', { answers: [{ body: DENY }] }),
  web('PreToolUse allows', 'PreToolUse', {
    answers: [{ body: specific('PreToolUse', { permissionDecision: 'allow', additionalContext: 'more' }) }],
    steps: [WRITE],
  }),
  web('PreToolUse ends the turn', 'PreToolUse', { answers: [{ body: { continue: false, stopReason: 'enough' } }] }),
  web('no JSON', 'PreToolUse', { answers: [{ body: 'just words' }] }),
  web('wrong JSON', 'PreToolUse', { answers: [{ body: { continue: 'no' } }] }),
  web('another event', 'PreToolUse', { answers: [{ body: specific('Stop', {}) }] }),
  web('it fails', 'PreToolUse', { answers: [{ status: 500, body: DENY }] }),
  web('it is elsewhere', 'PreToolUse', { answers: [{ status: 302, headers: { location: '/other' } }, { body: DENY }] }),
  web('it never answers', 'PreToolUse', { answers: [{ never: true }], more: { timeout: 1 } }),
  web('nobody is there', 'PreToolUse', { more: { url: 'http://127.0.0.1:9/' } }),
  web('headers', 'PreToolUse', {
    more: {
      headers: { Authorization: 'Bearer $HOOK_TOKEN', 'X-Both': `\${HOOK_OTHER}-\${HOOK_TOKEN}`, 'X-None': '$NONE' },
      allowedEnvVars: ['HOOK_TOKEN', 'NONE'],
    },
  }),
  web('headers and settings', 'PreToolUse', {
    more: { headers: { 'X-Both': '$HOOK_OTHER $HOOK_TOKEN' }, allowedEnvVars: ['HOOK_TOKEN', 'HOOK_OTHER'] },
    settings: { httpHookAllowedEnvVars: ['HOOK_OTHER'] },
  }),
  web('an address that is not allowed', 'PreToolUse', {
    answers: [{ body: DENY }],
    settings: { allowedHttpHookUrls: ['https://example.com/*'] },
  }),
  web('an address that is allowed', 'PreToolUse', {
    answers: [{ body: DENY }],
    settings: { allowedHttpHookUrls: ['http://127.0.0.1:*'] },
  }),
  web('PostToolUse objects', 'PostToolUse', { answers: [{ body: BLOCK }] }),
  web('PostToolUse says something', 'PostToolUse', { answers: [{ status: 201, body: { systemMessage: 'hey' } }] }),
  web('Stop objects', 'Stop', { answers: [{ body: BLOCK }, {}], steps: [] }),
  web('Stop fails', 'Stop', { answers: [{ status: 500 }], steps: [] }),
  web('UserPromptSubmit gives context', 'UserPromptSubmit', {
    answers: [{ body: specific('UserPromptSubmit', { additionalContext: 'more' }) }],
  }),
  web('UserPromptSubmit objects', 'UserPromptSubmit', { answers: [{ body: BLOCK }] }),
  web('PermissionRequest denies', 'PermissionRequest', {
    answers: [{ body: specific('PermissionRequest', { decision: { behavior: 'deny', message: 'never' } }) }],
    steps: [WRITE],
  }),
  web('the start of a session', 'SessionStart', {
    answers: [{ body: specific('SessionStart', { additionalContext: 'more' }) }],
  }),
  web('the end of a session', 'SessionEnd', { answers: [{ status: 500 }] }),
  web('the start of a subagent', 'SubagentStart', {
    answers: [{ body: specific('SubagentStart', { additionalContext: 'more' }) }],
    steps: [LOOK],
  }),
  called('its input', 'PreToolUse', {
    ...{ command: `\${tool_input.command}`, none: `\${tool_input.none}.`, whole: [`\${tool_input}`, 3] },
    bare: '$tool_name',
  }),
  called('PreToolUse denies', 'PreToolUse', json(DENY)),
  called('words', 'PreToolUse', { text: 'just words' }),
  called('words about a prompt', 'UserPromptSubmit', { text: `just \${prompt}` }),
  called('words at the end of a turn', 'Stop', { text: 'just words' }),
  called('wrong JSON', 'PreToolUse', json({ continue: 'no' })),
  called('it fails', 'PreToolUse', { text: 'just words', isError: true }),
  called('it never answers', 'PreToolUse', { never: true }, { timeout: 1 }),
  called('no such tool', 'PreToolUse', {}, { tool: 'lost' }),
  called('no such server', 'PreToolUse', {}, { server: 'other' }),
  called('PostToolUse objects', 'PostToolUse', json(BLOCK)),
  called('the start of a session', 'SessionStart', { text: 'just words' }),
  called('the end of a session', 'SessionEnd', { text: 'just words' }),
  called(
    'PermissionRequest allows',
    'PermissionRequest',
    json(specific('PermissionRequest', { decision: { behavior: 'allow' } })),
    {},
    [WRITE],
  ),
];
