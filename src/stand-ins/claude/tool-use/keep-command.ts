import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { defined } from '../../../document/defined.js';
import type { RunningShell } from '../../shared/tools/shell.js';
import { systemEvent } from '../output/events.js';
import { commandId, randomHex } from '../output/ids.js';
import { addTask, outputFileOf } from '../session/background-tasks.js';
import type { Session } from '../session/session.js';
import type { BackgroundCommand } from '../session/task-notice.js';
import type { KeptCommand } from '../tools/live-tool.js';

/** What a command prints beyond this many bytes is not kept. */
const LONGEST_OUTPUT = 64 * 1024 * 1024;

/** Keeps a command, and tells a host of it. */
export function keepCommand(
  session: Session,
  toolUseId: string,
  shell: RunningShell,
  about: { command: string; description: string },
): KeptCommand {
  const [id, runId, owner] = [commandId(), randomHex(16), session.subagent?.agent_id];
  const { description } = about;
  const outputFile = outputFileOf(session, id);
  writeOutput(shell, outputFile);
  const parent = defined({ parent_task_id: owner });
  const listed = { task_id: id, run_id: runId, task_type: 'local_bash', description, ...parent };
  const kept: BackgroundCommand = {
    ...{ id, runId, toolUseId, ...about, outputFile, owner, listed, isKnown: false, isKilled: false },
    // A shell that could not be started has failed.
    ended: shell.ended
      .catch(() => ({ exitCode: 1, timedOut: false }))
      .then(({ exitCode, timedOut }) => {
        kept.run = { exitCode, timedOut };
        session.endedCommands.push(kept);
        session.onBackgroundEnd();
      }),
    kill: () => {
      kept.isKilled = true;
      shell.kill();
    },
  };
  session.commands.push(kept);
  addTask(session, listed);
  session.emit(
    systemEvent(session.id, 'task_started', {
      ...{ task_id: id, run_id: runId, ...(owner === undefined ? {} : { owned_by_subagent: true }) },
      ...{ tool_use_id: toolUseId, description, is_backgrounded: true, ...parent, task_type: 'local_bash' },
    }),
  );
  return { id, outputFile, endsWithSubagent: owner !== undefined };
}

/** The agent may read it while the command runs. */
function writeOutput(shell: RunningShell, path: string): void {
  let file: number;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = openSync(path, 'a', 0o600);
  } catch (error) {
    shell.kill();
    throw error;
  }
  let room = LONGEST_OUTPUT;
  const write = (text: string): void => {
    const bytes = Buffer.from(text).subarray(0, room);
    room -= bytes.length;
    try {
      if (bytes.length > 0) writeSync(file, bytes);
    } catch {
      // The disk is full: the command goes on, as it would if nobody read what it prints.
      room = 0;
    }
  };
  write(shell.output());
  shell.onOutput(write);
  const close = (): void => closeSync(file);
  shell.ended.then(close, close).catch(() => {});
}
