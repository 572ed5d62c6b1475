import { spawnSync } from 'node:child_process';
import {
  type CommandDefinition,
  commandVariables,
  decide,
  expandSlashCommand,
  type RunLine,
  ShellLineError,
} from '@understudy/agents';
import { recordUnsupported } from '../../shared/record-call.js';
import { knownEffort } from '../cli/check-options.js';
import { shellCommandLine } from '../tools/shell-line.js';
import { linesOfEnvFiles } from './env-files.js';
import type { Session } from './session.js';

const TIMEOUT_MS = 60_000;

/** What a command expands to in a session. Throws `ShellLineError`. */
export function expandInSession(session: Session, command: CommandDefinition, args: string): string {
  const { paths, cwd, options } = session.parts;
  const variables = {
    ...commandVariables(command, paths.dir, cwd),
    CLAUDE_SESSION_ID: session.id,
    CLAUDE_EFFORT: knownEffort(options) ?? 'medium',
  };
  // The real CLI runs all lines at once, and a refusal comes before any of them has ended.
  expandSlashCommand(command, args, lineJudge(session), variables);
  return expandSlashCommand(command, args, lineRunner(session), variables);
}

function lineJudge(session: Session): RunLine {
  return (line, pattern) => {
    const refusal = refusalOf(session, line);
    if (refusal === undefined) return '';
    throw new ShellLineError(`Shell command permission check failed for pattern "${pattern}": ${refusal}`);
  };
}

/** Runs what a command has in !`…` and in fenced blocks, in the session's folder and environment. */
function lineRunner(session: Session): RunLine {
  return (line, pattern) => {
    const [shell, ...args] = shellCommandLine(line, linesOfEnvFiles(session), ':');
    const { stdout, status } = spawnSync(shell, args, {
      cwd: session.folder,
      env: session.childEnvironment('shell', session.effort),
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    const said = (stdout ?? '').trimEnd();
    if (status !== 0)
      throw new ShellLineError(
        `Shell command failed for pattern "${pattern}": ${said === '' ? '' : `[stderr]\n${said}`}`,
      );
    return said === '' ? '(Bash completed with no output)' : said;
  };
}

function refusalOf(session: Session, line: string): string | undefined {
  if (session.chosenTools?.includes('Bash') === false) return 'Permission to use Bash has been denied.';
  const { behavior, message, undecided } = decide('Bash', { command: line }, session.permissionContext());
  if (undecided !== undefined) recordUnsupported(undecided);
  return behavior === 'allow' ? undefined : message;
}
