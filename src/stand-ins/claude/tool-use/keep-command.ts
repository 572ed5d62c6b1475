import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { defined } from '../../../document/defined.js';
import type { RunningShell } from '../../shared/tools/shell.js';
import { systemEvent } from '../output/events.js';
import { commandId, randomHex } from '../output/ids.js';
import { addTask, outputFileOf } from '../session/background-tasks.js';
import type { Session } from '../session/session.js';
import type { BackgroundCommand } from '../session/task-notice.js';
import type { KeptCommand } from '../tools/live-tool.js';

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
        session.onCommandEnd();
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
function writeOutput(shell: RunningShell, file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const write = (text: string): void => appendFileSync(file, text, { mode: 0o600 });
  write(shell.output());
  shell.onOutput(write);
}
