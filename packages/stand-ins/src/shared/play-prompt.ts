import { defined } from '@understudy/kit';
import { type Prompt, type Reply, runsTools, type Scenario, Script, type Unanswered } from '@understudy/script';
import { callNumber, playFor } from './play-store.js';
import { type PlayedTurn, playTurn, type TurnOptions } from './play-turn.js';
import { type LogEntry, RequestLog } from './request-log.js';
import type { SavedSession, SessionStore } from './session-store.js';

export interface PromptRequest
  extends Pick<TurnOptions, 'tools' | 'liveTools' | 'view' | 'mayUse' | 'refusalOf' | 'retries' | 'givesUpStalled'> {
  scenario: Scenario;
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  prompt: Prompt;
  /** The session to continue, or a new one. */
  session: Omit<SavedSession, 'play' | 'updated'> & Partial<Pick<SavedSession, 'play'>>;
  sessions: SessionStore;
  /** The session is not to be saved. */
  ephemeral?: boolean;
}

/** Plays one prompt in a session, and saves the session for later. */
export async function playPrompt(conversation: PromptRequest): Promise<PlayedTurn> {
  const { scenario, prompt, env, cwd, view, tools, liveTools } = conversation;
  const { mayUse, refusalOf, retries, givesUpStalled } = conversation;
  const started = Date.now();
  const ask = asking(conversation, new Script(scenario, { call: callNumber(env) }));
  const turn = await playTurn(ask(prompt), {
    ...{ scenario: scenario.document, tools, liveTools, context: { cwd, env }, view },
    promptLength: prompt.text.length,
    ...defined({ mayUse, refusalOf, retries, givesUpStalled }),
  });
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

function problemOf({ message, fix }: Pick<Unanswered, 'message' | 'fix'>): { message: string; fix: string } {
  return { message, fix };
}

function outcomeOf({ end }: PlayedTurn): Pick<LogEntry, 'outcome' | 'failure'> {
  if (end.kind === 'failed') return { outcome: 'failure', failure: end.failure.type };
  if (end.kind === 'refused') return { outcome: 'blocked' };
  return { outcome: end.kind === 'unanswered' ? 'unanswered' : 'success' };
}
