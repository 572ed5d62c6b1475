import { UnderstudyError } from '../../errors.js';
import { loadScenario, type Scenario } from '../../scenario/load.js';
import type { Prompt } from '../../scenario/prompt.js';
import type { Reply } from '../../scenario/reply.js';
import { Script } from '../../scenario/script.js';
import type { OwnTool } from './own-tools.js';
import { playFor } from './play-store.js';
import { type LogEntry, RequestLog } from './request-log.js';
import type { SessionStore, StoredSession } from './sessions.js';
import { type Turn, type TurnOptions, type TurnView, takeTurn } from './take-turn.js';

/** Loads the scenario that the environment names. */
export function scenarioFromEnvironment(env: NodeJS.ProcessEnv): Scenario {
  const file = env['UNDERSTUDY_SCENARIO'];
  if (file === undefined || file === '') {
    throw new UnderstudyError('SCENARIO_MISSING', 'this is a stand-in, and no scenario says what it answers', {
      fix: 'set UNDERSTUDY_SCENARIO to a scenario file',
    });
  }
  return loadScenario(file);
}

export interface Conversation {
  scenario: Scenario;
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  prompt: Prompt;
  /** The session that goes on, or a fresh one. */
  session: Omit<StoredSession, 'play' | 'updated'> & Partial<Pick<StoredSession, 'play'>>;
  sessions: SessionStore;
  tools: readonly OwnTool[];
  liveTools: TurnOptions['liveTools'];
  view: TurnView;
  mayUse?: (tool: string) => boolean;
}

/** Says one prompt in a session, and keeps the session for later. */
export async function converse(conversation: Conversation): Promise<Turn> {
  const { scenario, prompt, env, cwd, view, tools, liveTools, mayUse } = conversation;
  const started = Date.now();
  const answer = answerOf(conversation, new Script(scenario));
  const turn = await takeTurn(answer, {
    scenario: scenario.document,
    tools,
    liveTools,
    context: { cwd, env },
    view,
    ...(mayUse === undefined ? {} : { mayUse }),
  });
  new RequestLog(env['UNDERSTUDY_LOG']).write({
    time: new Date(started).toISOString(),
    pid: process.pid,
    argv: conversation.argv,
    cwd,
    session_id: conversation.session.id,
    prompt: prompt.text,
    ...(prompt.command === undefined ? {} : { command: prompt.command.name }),
    model: prompt.model ?? '',
    matched: turn.matched,
    ...outcomeOf(turn),
    result: turn.end.kind === 'unanswered' ? turn.end.unanswered.message : turn.text,
    tools: turn.calls.map(({ name, input, result }) => ({
      name,
      input,
      is_error: result.isError,
      how: scenario.document.tool_execution?.mode ?? 'mock',
    })),
    duration_ms: Date.now() - started,
  });
  return turn;
}

function answerOf({ prompt, session, sessions, env }: Conversation, script: Script): Reply {
  const play = playFor(script, env, session.play);
  const answer = play.answer(prompt);
  // Kept before the tools run: whoever is killed in the middle has still said its prompt.
  sessions.save({ ...session, play: play.state, updated: Date.now() });
  return answer;
}

function outcomeOf({ end }: Turn): Pick<LogEntry, 'outcome' | 'failure'> {
  if (end.kind === 'failed') return { outcome: 'failure', failure: end.failure.type };
  if (end.kind === 'refused') return { outcome: 'blocked' };
  return { outcome: end.kind === 'unanswered' ? 'unanswered' : 'success' };
}
