import { defined } from '../../../document/defined.js';
import { systemEvent } from '../output/events.js';
import { removeTask } from '../session/background-tasks.js';
import { waitBriefly } from '../session/brief-moment.js';
import type { Session } from '../session/session.js';
import type { BackgroundCommand } from '../session/task-notice.js';
import { dropNoticesOf, queueNotice } from './task-notices.js';

/** Gives new commands in the background a moment, and tells of all that have ended. */
export async function settleCommands(session: Session): Promise<void> {
  const fresh = session.commands.filter(({ isKnown }) => !isKnown);
  for (const command of fresh) command.isKnown = true;
  await waitBriefly(fresh.map(({ ended }) => ended));
  tellEnded(session);
}

/** Ends what a subagent has left running, and forgets what it has not heard. */
export async function endCommandsOf(session: Session, agentId: string): Promise<void> {
  const left = session.commands.filter(({ owner, run }) => owner === agentId && run === undefined);
  for (const command of left) command.kill();
  await Promise.all(left.map(({ ended }) => ended));
  tellEnded(session);
  dropNoticesOf(session, agentId);
}

/** Waits until a command ends, and tells of it. */
export async function nextEnd(session: Session): Promise<void> {
  await Promise.race(session.commands.map(({ ended }) => ended));
  tellEnded(session);
}

/** Tells a host of commands that have ended, and keeps it for the agent. */
export function tellEnded(session: Session): void {
  tell(session, session.endedCommands.splice(0));
}

/** Tells of those that were started before the tool which the agent has just used. */
export function tellEndedMeanwhile(session: Session): void {
  const ended = session.endedCommands.filter(({ isKnown }) => isKnown);
  session.endedCommands = session.endedCommands.filter(({ isKnown }) => !isKnown);
  tell(session, ended);
}

function tell(session: Session, ended: readonly BackgroundCommand[]): void {
  for (const command of ended) {
    const { id, runId, toolUseId, outputFile, listed, owner, isKilled } = command;
    const { status, seen, summary, more } = endOf(command);
    const ids = { task_id: id, run_id: runId };
    session.commands = session.commands.filter((one) => one !== command);
    const patch = { status, end_time: session.parts.clock.now() };
    session.emit(systemEvent(session.id, 'task_updated', { ...ids, patch }));
    session.emit(
      systemEvent(session.id, 'task_notification', {
        ...ids,
        ...{ tool_use_id: toolUseId, status: seen, output_file: outputFile, summary },
      }),
    );
    removeTask(session, listed);
    if (isKilled) continue;
    const ending = { id, toolUseId, outputFile, status, summary, ...defined({ more }) };
    queueNotice(session, ending, { runId, reminders: [], ...defined({ owner }) });
  }
}

const LIMIT_NOTE =
  '<note>If the work in progress still needs it, start it again with `run_in_background` and a longer `timeout`. If it already had the longest `timeout` allowed, do not restart it. Either way, report that it was stopped.</note>';

/** How it ended: for the agent, for a host, and in words. */
function endOf({ description, run, isKilled }: BackgroundCommand): {
  status: string;
  seen: string;
  summary: string;
  more?: string[];
} {
  const killed = { status: 'killed', seen: 'stopped' };
  if (isKilled) return { ...killed, summary: description };
  const told = (words: string): string => `Background command "${description}" ${words}`;
  if (run?.timedOut === true)
    return { ...killed, summary: told('was stopped after reaching its background time limit'), more: [LIMIT_NOTE] };
  const code = run?.exitCode ?? 0;
  const status = code === 0 ? 'completed' : 'failed';
  return {
    status,
    seen: status,
    summary: told(code === 0 ? 'completed (exit code 0)' : `failed with exit code ${code}`),
  };
}
