import { spawnSync } from 'node:child_process';
import type { RunLine } from '../../../claude-code/slash-commands.js';
import type { Session } from './session.js';

const TIMEOUT_MS = 60_000;

/** Runs what a command has in !`…`, in the session's folder and environment. */
export function lineRunner(session: Session): RunLine {
  return (line) => {
    const { stdout, stderr } = spawnSync('/bin/bash', ['-c', line], {
      cwd: session.parts.cwd,
      env: session.childEnvironment(),
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    return `${stdout ?? ''}${stderr ?? ''}`.trimEnd();
  };
}
