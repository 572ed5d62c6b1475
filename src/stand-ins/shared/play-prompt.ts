import { defined } from '../../document/defined.js';
import type { Scenario } from '../../scenario/load.js';
import { runsTools } from '../../scenario/mock-tool.js';
import type { Prompt } from '../../scenario/prompt.js';
import type { Reply, Unanswered } from '../../scenario/reply.js';
import { Script } from '../../scenario/script.js';
import { callNumber, playFor } from './play-store.js';
import { type PlayedTurn, playTurn, type TurnOptions } from './play-turn.js';
import { type LogEntry, RequestLog } from './request-log.js';
import type { SavedSession, SessionStore } from './session-store.js';

export interface PromptRequest
  extends Pick<
    TurnOptions,
    | 'tools'
    | 'liveTools'
    | 'view'
    | 'mayUse'
    | 'refusalOf'
    | 'aroundTool'
    | 'beforeRequest'
    | 'retries'
    | 'givesUpStalled'
  > {
  scenario: Scenario;
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  prompt: Prompt;
  /** The session to continue, or a new one. */
  session: Omit<SavedSession, 'play' | 'updated'> & Partial<Pick<SavedSession, 'play'>>;
  sessions: SessionStore;
  /** What the model would be told beside the results of tools, as far as the stand-in knows it. */
  told?: { system: string[]; messages: string[] };
  /** What the CLI itself tells the model when a turn has ended, if it is to go on (Gemini CLI). */
  goOn?: (turn: PlayedTurn) => Promise<string | undefined>;
  /** The session is not to be saved. */
  ephemeral?: boolean;
}

/** Plays one prompt in a session, and saves the session for later. */
export async function playPrompt(conversation: PromptRequest): Promise<PlayedTurn> {
  const { scenario, prompt, env, cwd, view, tools, liveTools, goOn } = conversation;
  const { mayUse, refusalOf, aroundTool, beforeRequest, retries, givesUpStalled } = conversation;
  const started = Date.now();
  const ask = asking(conversation, new Script(scenario, { call: callNumber(env) }));
  const play = (text: string, callsBefore: number): Promise<PlayedTurn> =>
    playTurn(ask({ ...prompt, text }), {
      ...{ scenario: scenario.document, tools, liveTools, context: { cwd, env }, view },
      ...{ promptLength: text.length, callsBefore },
      ...defined({ mayUse, refusalOf, aroundTool, beforeRequest, retries, givesUpStalled }),
    });
  let turn = await play(prompt.text, 0);
  for (let more = await goOn?.(turn); more !== undefined; more = await goOn?.(turn))
    turn = joined(turn, await play(more, turn.calls.length));
  new RequestLog(env['UNDERSTUDY_LOG']).write({
    time: new Date(started).toISOString(),
    pid: process.pid,
    argv: conversation.argv,
    cwd,
    session_id: conversation.session.id,
    prompt: prompt.text,
    ...defined({ command: prompt.command?.name }),
    model: prompt.model ?? '',
    matched: turn.matched,
    ...outcomeOf(turn),
    result: turn.end.kind === 'unanswered' ? turn.end.unanswered.message : turn.text,
    ...(turn.end.kind === 'unanswered' ? { unanswered: [problemOf(turn.end.unanswered)] } : {}),
    tools: turn.calls.map(({ name, input, result }) => ({
      name,
      input,
      is_error: result.isError,
      how: runsTools(scenario.document) ? 'live' : 'mock',
    })),
    ...defined({ told: toldOf(conversation, turn) }),
    duration_ms: Date.now() - started,
  });
  return turn;
}

function asking(
  { session, sessions, env, ephemeral = false }: PromptRequest,
  script: Script,
): (prompt: Prompt) => Reply {
  const play = playFor(script, env, session.play);
  return (prompt) => {
    const answer = play.answer(prompt);
    // Saved before the tools run: a process that is killed in the middle has had its prompt.
    if (!ephemeral) sessions.save({ ...session, play: play.state, updated: Date.now() });
    return answer;
  };
}

function joined(first: PlayedTurn, next: PlayedTurn): PlayedTurn {
  return {
    ...next,
    text: [first.text, next.text].filter((text) => text !== '').join('\n'),
    lastText: next.lastText ?? first.lastText,
    matched: [...first.matched, ...next.matched],
    calls: [...first.calls, ...next.calls],
    results: [...first.results, ...next.results],
  };
}

function toldOf({ told, tools }: PromptRequest, { results }: PlayedTurn): LogEntry['told'] {
  if (told === undefined) return undefined;
  const messages = [...told.messages, ...results];
  return [{ system: told.system, messages, tools: [...tools.names] }];
}

function problemOf({ message, fix }: Pick<Unanswered, 'message' | 'fix'>): { message: string; fix: string } {
  return { message, fix };
}

function outcomeOf({ end }: PlayedTurn): Pick<LogEntry, 'outcome' | 'failure'> {
  if (end.kind === 'failed') return { outcome: 'failure', failure: end.failure.type };
  if (end.kind === 'refused') return { outcome: 'blocked' };
  return { outcome: end.kind === 'unanswered' ? 'unanswered' : 'success' };
}
