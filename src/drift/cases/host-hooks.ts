import { type CallbackAnswer, type Case, control, LIVING, type Step, say, type Talk, tool, user } from '../case.js';

type Answers = Record<string, CallbackAnswer[]>;

const specific = (hookEventName: string, fields: object): CallbackAnswer => ({
  says: { hookSpecificOutput: { hookEventName, ...fields } },
});

/** A host that has hooks for some events. */
function hosted(
  name: string,
  hooks: Record<string, object>,
  callbacks: Answers,
  turns: Step[][],
  talk: Talk[] = turns.flatMap((_, at) => [user(`prompt ${at}`), { until: 'result' }]),
): Case {
  const registered = Object.entries(hooks).map(([event, matcher]) => [event, [matcher]]);
  return {
    name: `a hook of the host: ${name}`,
    args: [...LIVING, '--include-hook-events', '--allowedTools', 'Bash'],
    turns,
    talk: [...control('init', { subtype: 'initialize', hooks: Object.fromEntries(registered) }), ...talk],
    callbacks,
  };
}

const a = { hookCallbackIds: ['a'] };
const b = { hookCallbackIds: ['b'] };
const c = { hookCallbackIds: ['c'] };
const NOTHING: CallbackAnswer = { says: {} };
const WRONG: CallbackAnswer = { says: { decision: 'deny' } };
const FAILS: CallbackAnswer = { fails: 'it broke' };
const OTHER = specific('Notification', { additionalContext: 'context' });

const HI: Step[][] = [[say('hello')]];
const TWICE: Step[][] = [[say('hello')], [say('again')]];
const ONE: Talk[] = [user('prompt'), { until: 'result' }];
const RUN: Step[][] = [[tool('Bash', { command: 'echo one' }), say('after')]];
const FAIL: Step[][] = [[tool('Bash', { command: 'ls none' }), say('after')]];
const WRITE: Step[][] = [[tool('Write', { file_path: 'x', content: 'y' }), say('after')]];

const before = (name: string, answer: CallbackAnswer, more: object = {}): Case =>
  hosted(`PreToolUse ${name}`, { PreToolUse: { ...a, ...more } }, { a: [answer] }, RUN);
const after = (name: string, answer: CallbackAnswer, more: object = {}): Case =>
  hosted(`PostToolUse ${name}`, { PostToolUse: { ...a, ...more } }, { a: [answer] }, RUN);
const prompted = (name: string, answer: CallbackAnswer, more: object = {}): Case =>
  hosted(`UserPromptSubmit ${name}`, { UserPromptSubmit: { ...a, ...more } }, { a: [answer] }, HI);
const stopping = (name: string, answer: CallbackAnswer, more: object = {}): Case =>
  hosted(`Stop ${name}`, { Stop: { ...a, ...more } }, { a: [answer, NOTHING] }, TWICE, ONE);
const BLOCK = { onFailure: 'block' };

/** What the hooks of a host answer, and what becomes of an answer that is none. */
export const HOST_HOOK_CASES: readonly Case[] = [
  before('blocks', { says: { decision: 'block', reason: 'because' } }),
  before(
    'allows another input',
    specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'echo two' } }),
  ),
  before('asks', specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'hm' })),
  before('gives context', specific('PreToolUse', { additionalContext: 'context' })),
  before('has a message', { says: { systemMessage: 'mind', suppressOutput: true } }),
  before('stops the turn', { says: { continue: false, stopReason: 'enough' } }),
  before('goes on by itself', { says: { async: true, asyncTimeout: 1000 } }),
  before('has more to say', {
    says: { other: 1, hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', more: 2 } },
  }),
  before('fails', FAILS),
  before('decides wrongly', WRONG),
  before('names no event', { says: { hookSpecificOutput: { permissionDecision: 'deny' } } }),
  before('names another event', OTHER),
  before('says no object', { says: 'deny' }),
  before('says nothing in time', { never: true }, { timeout: 1 }),
  before('fails and blocks', FAILS, BLOCK),
  before('decides wrongly and blocks', WRONG, BLOCK),
  before('names another event and blocks', OTHER, BLOCK),
  hosted(
    'PreToolUse, two of them',
    { PreToolUse: { hookCallbackIds: ['a', 'b'] } },
    {
      a: [specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' })],
      b: [specific('PreToolUse', { permissionDecision: 'allow' })],
    },
    RUN,
  ),
  {
    ...before('beside a command', specific('PreToolUse', { additionalContext: 'context' })),
    files: {
      '.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo hi' }] }] } },
    },
  },
  after('gives context', specific('PostToolUse', { additionalContext: 'context' })),
  after('blocks', { says: { decision: 'block', reason: 'because' } }),
  after('stops the turn', { says: { continue: false, stopReason: 'enough' } }),
  after('has a message', { says: { systemMessage: 'mind' } }),
  after('fails', FAILS),
  after('names another event', OTHER),
  after('says nothing in time', { never: true }, { timeout: 1 }),
  after('fails and blocks', FAILS, BLOCK),
  prompted('gives context', specific('UserPromptSubmit', { additionalContext: 'context' })),
  prompted('blocks', { says: { decision: 'block', reason: 'because' } }),
  prompted('stops the turn', { says: { continue: false, stopReason: 'enough' } }),
  prompted('has a message', { says: { systemMessage: 'mind' } }),
  prompted('fails', FAILS),
  prompted('names another event', OTHER),
  prompted('says nothing in time', { never: true }, { timeout: 1 }),
  prompted('fails and blocks', FAILS, BLOCK),
  stopping('gives context', specific('Stop', { additionalContext: 'context' })),
  stopping('blocks', { says: { decision: 'block', reason: 'because' } }),
  stopping('stops the turn', { says: { continue: false, stopReason: 'enough' } }),
  stopping('has a message', { says: { systemMessage: 'mind' } }),
  stopping('fails', FAILS),
  stopping('names another event', OTHER),
  stopping('says nothing in time', { never: true }, { timeout: 1 }),
  stopping('fails and blocks', FAILS, BLOCK),
  hosted(
    'of each tool',
    { PostToolUseFailure: a, PostToolBatch: b, MessageDisplay: c },
    {
      a: [specific('PostToolUseFailure', { additionalContext: 'of a' })],
      b: [specific('PostToolBatch', { additionalContext: 'of b' })],
      c: [NOTHING],
    },
    FAIL,
  ),
  hosted('PostToolBatch names another event', { PostToolBatch: a }, { a: [OTHER] }, RUN),
  hosted('PostToolBatch fails and blocks', { PostToolBatch: { ...a, ...BLOCK } }, { a: [FAILS] }, RUN),
  hosted(
    'PermissionRequest allows',
    { PermissionRequest: a },
    { a: [specific('PermissionRequest', { decision: { behavior: 'allow' } })] },
    WRITE,
  ),
  hosted('PermissionRequest fails and blocks', { PermissionRequest: { ...a, ...BLOCK } }, { a: [FAILS] }, WRITE),
  hosted(
    'a session that is cleared',
    { SessionStart: a, SessionEnd: b },
    { a: [specific('SessionStart', { additionalContext: 'context' })], b: [NOTHING] },
    TWICE,
    ['first', '/clear', 'then'].flatMap((text) => [user(text), { until: 'result' }]),
  ),
  hosted(
    'a session that is compacted',
    { SessionStart: a, PreCompact: b, PostCompact: c },
    { a: [specific('SessionStart', { additionalContext: 'context' })], b: [NOTHING], c: [NOTHING] },
    HI,
    ['first', '/compact'].flatMap((text) => [user(text), { until: 'result' }]),
  ),
];
