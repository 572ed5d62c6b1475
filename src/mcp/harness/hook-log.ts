import { defined, UnderstudyError } from '@understudy/kit';
import { type FiredHook, type HookExecution, hookLog, pick } from '@understudy/stage';
import type { Harness } from './harness.js';
import type { HeldConversation } from './held-conversation.js';

/** One run of a hook: in a conversation, or by hand. */
export type HookRun = Pick<
  HookExecution,
  | 'name'
  | 'event'
  | 'command'
  | 'stdin'
  | 'stdout'
  | 'stderr'
  | 'exitCode'
  | 'outcome'
  | 'decision'
  | 'blocked'
  | 'reason'
  | 'turn'
> & {
  /** The conversation in which it ran; absent when it was triggered by hand. */
  sessionId?: string;
};

/** The runs of a hook, by its event (`PreToolUse`) or its name (`PreToolUse:Write`); without one, of all. */
export function hookRuns(harness: Harness, name: string | undefined, sessionId: string | undefined): HookRun[] {
  const byHand = sessionId === undefined ? harness.triggered.map(runByHand) : [];
  return [...chosen(harness, sessionId).flatMap(runsIn), ...byHand].filter(
    (run) => name === undefined || run.event === name || run.name === name,
  );
}

/** What the CLI reported about hooks, and what the hooks themselves received and wrote. */
function executionsIn(held: HeldConversation): HookExecution[] {
  return hookLog(held.events, held.recordedHooks());
}

function runsIn(held: HeldConversation): HookRun[] {
  return executionsIn(held).map((run) => ({ ...run, sessionId: held.id }));
}

function runByHand(fired: FiredHook): HookRun {
  const { event, matcher } = fired;
  return { ...fired, name: matcher === '' ? event : `${event}:${matcher}` };
}

/** What became of an action, and which hook kept it from happening. */
export interface BlockedAction {
  blocked: boolean;
  action: string;
  status: string;
  sessionId: string;
  hook?: string;
  reason?: string;
}

/** Whether a hook blocked an action: a tool call by its id, or a prompt by the id of its response. */
export function blockedAction(harness: Harness, id: string, sessionId: string | undefined): BlockedAction {
  for (const held of chosen(harness, sessionId)) {
    const found = toolAction(held, id) ?? promptAction(held, id);
    if (found !== undefined) return found;
  }
  throw new UnderstudyError('HARNESS_NO_ACTION', `nothing with the id ${JSON.stringify(id)} was seen`, {
    fix: 'Use the id of a tool use from tools_used or the history, or the response_id of a prompt.',
  });
}

function toolAction(held: HeldConversation, id: string): BlockedAction | undefined {
  const call = pick(held.events, 'tool_call').find((event) => event.id === id);
  if (call === undefined) return undefined;
  const result = pick(held.events, 'tool_result').find((event) => event.id === id);
  const blocked = result?.status === 'blocked';
  const hook = blocked
    ? executionsIn(held).find(({ action }) => action?.kind === 'tool' && action.callId === id)
    : undefined;
  return {
    blocked,
    action: `${call.tool} ${JSON.stringify(call.input)}`,
    status: result?.status ?? 'no result',
    sessionId: held.id,
    ...defined({ hook: hook?.name }),
    ...(blocked ? { reason: hook?.reason ?? result.text } : {}),
  };
}

function promptAction(held: HeldConversation, id: string): BlockedAction | undefined {
  const reply = held.reply(id);
  if (reply === undefined) return undefined;
  const turn = reply.status === 'done' ? reply.turn : undefined;
  const blocked = turn?.reason === 'blocked_by_hook';
  const hook = blocked ? turn.hooks.find((one) => one.blocked) : undefined;
  return {
    blocked,
    action: reply.prompt,
    status: turn?.outcome ?? reply.status,
    sessionId: held.id,
    ...defined({ hook: hook?.name }),
    ...(blocked && turn.message !== undefined ? { reason: turn.message } : {}),
  };
}

function chosen(harness: Harness, sessionId: string | undefined): readonly HeldConversation[] {
  return sessionId === undefined ? harness.conversations.all : [harness.conversations.find(sessionId)];
}
