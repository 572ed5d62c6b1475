import { NO_OUTPUT, toolName } from '@understudy/agents';
import { type Message, type Prompt, type Reply, runsTools } from '@understudy/script';
import { REFUSED } from '../refused.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { isCommand } from '../session/user-message.js';
import { companionTexts, outcomeText, type ToolOutcome, toolResultFor } from '../tool-use/tool-result.js';
import { askAgain } from './ask-again.js';
import { announceRequest, emitMessage } from './emit-message.js';
import { sessionTools } from './init-event.js';
import { checkBudget, maxTurnsReached } from './limits.js';
import { sendListing } from './listing.js';
import { lookAtTouched } from './memory.js';
import type { Requester } from './serve-failure.js';
import type { Speaker, TurnOutcome } from './speaker.js';
import { mayStop } from './stop-hooks.js';
import { unanswered, unsupported } from './unanswered.js';

type Completion = Extract<TurnOutcome['ending'], { kind: 'answered' }>['terminalReason'];

/** Plays one turn of the scenario: its messages, the tools between them, and how it ends. */
export async function playConversation(
  session: Session,
  turn: TurnRecord,
  prompt: Prompt,
  speaker: Speaker,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { play, parentToolUseId } = speaker;
  const isMain = parentToolUseId === null;
  const answer = (to: Prompt, again = false): Reply => {
    const reply = again ? play.answerAgain(to) : play.answer(to);
    if (isMain) session.transcript.saveState(play.state);
    return reply;
  };
  const { forced, onFirstAnswer: onAsked = () => {} } = speaker;
  if (forced?.kind === 'not_logged_in') {
    onAsked();
    return refuseAccess(session, turn, { parentToolUseId, signal });
  }
  const spent = isMain ? checkBudget(session) : undefined;
  if (spent !== undefined) return spent;
  // A turn that ends before the model is asked sends it nothing.
  signal.throwIfAborted();
  turn.told.push(...turn.textsOf(prompt.text), ...session.takeNotes());
  let inputLength = prompt.text.length;
  let reply = forced?.reply ?? speaker.answer ?? answer(prompt);
  const maxTurns = isMain ? session.parts.options.maxTurns : speaker.maxTurns;
  const isLastRequest = (count: number): boolean => maxTurns !== undefined && count >= maxTurns;
  let blocks = 0;
  let fellBack = false;
  let wasSilent = false;
  for (let requests = 1; ; requests++) {
    if (!fellBack) announceRequest(session, parentToolUseId);
    const answersAtOnce = reply.kind === 'message';
    if (requests === 1 && !answersAtOnce) onAsked();
    fellBack = false;
    // Hooks in the background go on while the model thinks.
    await session.background.hooks.settle();
    // So do other agents.
    await session.relay.pass();
    signal.throwIfAborted();
    const message = await toMessage(session, turn, reply, { parentToolUseId, signal });
    if ('ended' in message) return message.ended;
    if ('fallback' in message) {
      session.turn.ofCommand = { model: message.fallback };
      fellBack = true;
      reply = goingOn(answer({ ...prompt, model: message.fallback }, true), message);
      continue;
    }
    if (reply !== speaker.answer) turn.matched.push(message.rulePath);
    const lacking = await findLackingTool(session, message, speaker);
    if (lacking !== undefined) return unanswered(turn, lacking.message, lacking.fix);
    const requested = await emitMessage(session, turn, message, {
      signal,
      parentToolUseId,
      inputLength,
      onBegin: requests === 1 && answersAtOnce ? onAsked : undefined,
    });
    if (message.next === undefined && !wasSilent && isSilent(message)) {
      wasSilent = true;
      askAgain(session, turn, NO_OUTPUT);
      turn.told.push(NO_OUTPUT);
      inputLength = NO_OUTPUT.length;
      reply = { kind: 'message', message };
      continue;
    }
    // The real CLI asks again, each time in words of its own.
    if (message.next === undefined && ASKS_AGAIN.has(message.stopReason))
      return unsupported(`The stand-in does not go on after an answer with stop_reason = "${message.stopReason}".`);
    if (message.next === undefined) {
      const overspent = isMain ? checkBudget(session) : undefined;
      if (overspent !== undefined) return overspent;
      const stopping = await mayStop(session, turn, speaker, blocks, signal);
      if (stopping.feedback === undefined)
        return completed(turn.shown, stopping.prevented ? 'stop_hook_prevented' : 'completed');
      if (isLastRequest(requests)) return maxTurnsReached(turn, requests);
      blocks++;
      turn.told.push(...stopping.feedback);
      const [text = ''] = stopping.feedback;
      inputLength = text.length;
      reply = answer({ ...prompt, text });
      continue;
    }
    const overspent = isMain ? checkBudget(session) : undefined;
    if (overspent !== undefined) return requested.length > 1 ? unsupported(REFUSED.expensiveTools) : overspent;
    session.transcript.flush();
    const { useTools } = await import('./use-tools.js');
    const outcomes = await useTools({ session, turn, signal, playConversation }, requested, parentToolUseId);
    // What ends in the background from here on reaches the agent with the results after these.
    const due = session.subagent === undefined ? session.background.notices : [];
    if (isMain) await workInBackground(session);
    // When the turn ends here, the model reads the results with the next prompt.
    const keepResults = (): void => {
      session.atWork.notes.unshift(
        ...outcomes.flatMap((outcome) => [outcomeText(outcome), ...companionTexts(outcome)]),
      );
    };
    const deferred = requested.findLast((_, at) => outcomes[at]?.isDeferred);
    if (deferred !== undefined) {
      if (!isMain) return completed('', 'completed');
      keepResults();
      const { id, name, input } = deferred;
      turn.stopReason = 'tool_deferred';
      return { ending: { kind: 'deferred', text: '', use: { id, name: toolName(name), input } }, outcome: 'success' };
    }
    if (outcomes.some(({ stop }) => stop)) {
      keepResults();
      return completed('', 'hook_stopped');
    }
    if (turn.structuredOutput !== undefined) return completed(JSON.stringify(turn.structuredOutput), 'completed');
    if (isLastRequest(requests)) {
      keepResults();
      return maxTurnsReached(turn, requests);
    }
    if (due.length > 0) {
      const { absorbNotices } = await import('./task-notices.js');
      await absorbNotices(session, due, signal);
    }
    // What hooks in the background say is for the agent of the session, also where they saw a tool of a subagent.
    if (isMain) session.out.write(session.takeLateWords());
    if (isMain && session.parts.waiting.some((message) => !isCommand(message)))
      return unsupported(REFUSED.promptsMeanwhile);
    const notes = session.takeNotes();
    const results = requested.map((use, at) => toolResultFor(use, outcomes[at] as ToolOutcome));
    turn.told.push(...results.map(({ text }) => text), ...outcomes.flatMap(companionTexts), ...notes);
    lookAtTouched(session);
    // A prompt that is a slash and no command comes without the list.
    if (isMain) sendListing(session, turn);
    inputLength = results.reduce((sum, { text }) => sum + text.length, 0);
    reply = message.next(results, notes.join('\n\n'));
  }
}

/** Endings of an answer after which the real CLI goes on by itself. */
const ASKS_AGAIN: ReadonlySet<string> = new Set(['max_tokens', 'refusal']);

function isSilent({ blocks }: Message): boolean {
  return !blocks.some((block) => block.type === 'tool_use' || (block.type === 'text' && block.text.trim() !== ''));
}

/** Lets the subagents that were launched work to their end. */
export async function workInBackground(session: Session): Promise<void> {
  const ends = await session.relay.run(session.background.takeLaunched());
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function refuseAccess(session: Session, turn: TurnRecord, asked: Requester): Promise<TurnOutcome> {
  const { giveUp } = await import('./serve-failure.js');
  const { notLoggedIn } = await import('../failures/failure-report.js');
  turn.failure = 'not_logged_in';
  const { ending } = await giveUp(session, turn, notLoggedIn(), asked);
  return { ending, outcome: 'failure' };
}

type Next = Message | { ended: TurnOutcome } | { fallback: string; rulePath: string; left: number };

/** The requests that failed before the fallback count for the same failure after it. */
function goingOn(reply: Reply, { rulePath, left }: { rulePath: string; left: number }): Reply {
  if (reply.kind !== 'failure' || reply.rulePath !== rulePath || reply.afterwards === undefined) return reply;
  if (left <= 0) return { kind: 'message', message: reply.afterwards };
  return Number.isFinite(left) ? { ...reply, failure: { ...reply.failure, times: left } } : reply;
}

async function toMessage(session: Session, turn: TurnRecord, reply: Reply, asked: Requester): Promise<Next> {
  if (reply.kind === 'message') return reply.message;
  if (reply.kind === 'unanswered') {
    return { ended: unanswered(turn, reply.message, reply.fix) };
  }
  turn.matched.push(reply.rulePath);
  const { serveFailure } = await import('./serve-failure.js');
  const after = await serveFailure(session, turn, reply, asked);
  if (after.kind === 'recovered') return after.message;
  if (after.kind === 'limited') return { ended: after.outcome };
  if (after.kind === 'fallback') return { fallback: after.model, rulePath: reply.rulePath, left: after.left };
  return { ended: { ending: after.ending, outcome: 'failure' } };
}

/**
 * A model can only call the tools that it is offered: a script that calls another one, and does not say so, has no answer to this.
 * A tool that is mocked need not exist.
 */
async function findLackingTool(
  session: Session,
  { rulePath, blocks }: Message,
  { parentToolUseId }: Speaker,
): Promise<{ message: string; fix: string } | undefined> {
  const called = blocks.flatMap((block) => (block.type === 'tool_use' && block.offered !== false ? [block] : []));
  if (called.length === 0) return undefined;
  const isLive = runsTools(session.parts.script.scenario.document);
  const isMain = parentToolUseId === null;
  const tools = session.subagent?.tools ?? (isLive && isMain ? sessionTools(session).map(toolName) : undefined);
  if (tools === undefined) return undefined;
  const { ownName } = await import('../tools/translate-calls.js');
  const lacking = called.find(
    ({ tool, result, error }) => (result ?? error) === undefined && !tools.includes(toolName(ownName(tool))),
  );
  if (lacking === undefined) return undefined;
  const { toolNotOffered } = await import('@understudy/script');
  return toolNotOffered(rulePath, lacking.tool, tools);
}

function completed(text: string, terminalReason: Completion): TurnOutcome {
  return { ending: { kind: 'answered', text, terminalReason }, outcome: 'success' };
}
