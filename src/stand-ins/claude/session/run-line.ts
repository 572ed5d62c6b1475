import { spawnSync } from 'node:child_process';
import { decide } from '../../../claude-code/permissions/decide.js';
import { type RunLine, ShellLineError } from '../../../claude-code/slash-commands.js';
import type { Session } from './session.js';

const TIMEOUT_MS = 60_000;

/** Runs what a command has in !`…` and in fenced blocks, in the session's folder and environment, if that is allowed. */
export function lineRunner(session: Session): RunLine {
  return (line, pattern) => {
    const { behavior, message } = decide('Bash', { command: line }, session.permissionContext());
    if (behavior !== 'allow')
      throw new ShellLineError(`Shell command permission check failed for pattern "${pattern}": ${message}`);
    const { stdout, status } = spawnSync('/bin/bash', ['-c', `{ ${line}\n} 2>&1`], {
      cwd: session.parts.cwd,
      env: session.childEnvironment(),
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    const said = (stdout ?? '').trimEnd();
    if (status !== 0) throw new ShellLineError(`Shell command failed for pattern "${pattern}": [stderr]\n${said}`);
    return said;
  };
}
