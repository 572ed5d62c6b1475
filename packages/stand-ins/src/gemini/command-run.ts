import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { runShell } from '../shared/tools/shell.js';

/** Settings of git that Gemini CLI turns off for commands: nothing of the user's counts, and nothing is started. */
const GIT_OFF = [
  ...['credential.helper', 'core.fsmonitor', 'core.hooksPath', 'core.sshCommand', 'core.pager', 'core.editor'],
  ...['sequence.editor', 'diff.external'],
];

/** What Gemini CLI sets for each command. */
const VARIABLES = {
  DBUS_SESSION_BUS_ADDRESS: '',
  DISPLAY: '',
  GCM_INTERACTIVE: 'never',
  GEMINI_CLI: '1',
  GH_PROMPT_DISABLED: '1',
  GIT_ASKPASS: '',
  GIT_CONFIG_COUNT: String(GIT_OFF.length),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  ...Object.fromEntries(
    GIT_OFF.flatMap((name, at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, name === 'core.pager' ? 'cat' : ''],
    ]),
  ),
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  SSH_ASKPASS: '',
  TERM: 'xterm-256color',
};

/** How a command ended. */
export interface CommandRun {
  /** What it printed, without space around it. */
  trimmed: string;
  output: string;
  exitCode: number;
  /** The number of the signal that ended it. */
  signal: number | undefined;
  pid: number | undefined;
}

/** Runs a command as Gemini CLI does. */
export async function runCommand(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<CommandRun> {
  const { output, exitCode, signal, pid } = await runShell(line, {
    ...{ env: { ...env, ...VARIABLES }, cwd, untilClosed: true },
    // Gemini CLI puts some lines of its own before the command.
    commandLine: [bash(env), '-c', `\n\n\n${line}\n`],
  });
  const number = signal === undefined ? undefined : constants.signals[signal];
  return { trimmed: output.trim(), output, exitCode, signal: number, pid };
}

/** The bash that is first on PATH. */
function bash({ PATH = '' }: NodeJS.ProcessEnv): string {
  const found = PATH.split(delimiter).map((folder) => join(folder, 'bash'));
  return found.find((file) => existsSync(file)) ?? '/bin/bash';
}
