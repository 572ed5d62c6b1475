import { isSilent } from '../../../claude-code/permissions/silent-commands.js';
import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import { type RunningShell, startShell } from '../../shared/tools/shell.js';
import { type KeepCommand, number, type ToolContext, type ToolRun, text } from './live-tool.js';
import { shellCommandLine } from './shell-line.js';

/** What runs in the background is ended after this time, unless the call says another one. */
const LIMIT_MS = 600_000;
const HOW_TO_READ = 'To check interim output, use Read on that file path.';
const TOLD_LATER = 'You will be notified when it completes.';
const TOLD_IN_TIME =
  'If it exits while you are still working you will be notified, but it is terminated when you give your final response and no notification can follow that — so do not end your turn to wait for it; if you need its result, wait for it before giving your final response.';
const NO_OUTPUT = { stdout: '', stderr: '', interrupted: false, isImage: false };

/** Starts a command that the agent does not wait for. */
export function runInBackground(input: JsonObject, { cwd, env, prelude }: ToolContext, keep: KeepCommand): ToolRun {
  const command = text(input, 'command');
  const commandLine = shellCommandLine(command, prelude);
  const shell = startShell(command, { cwd, env, commandLine, timeoutMs: number(input, 'timeout') ?? LIMIT_MS });
  const { id, outputFile, endsWithSubagent } = keep(shell, aboutOf(input));
  const hint = /(?:^|[\s;&|(])(?:cd|pushd|popd)\b/.test(command)
    ? `Session cwd remains ${cwd}; directory changes made by the backgrounded command do not apply to subsequent commands.`
    : undefined;
  const begun = `Command running in background with ID: ${id}. Output is being written to: ${outputFile}. ${endsWithSubagent ? TOLD_IN_TIME : TOLD_LATER} ${HOW_TO_READ}`;
  return {
    content: hint === undefined ? begun : `${begun}\n${hint}`,
    useResult: {
      ...NO_OUTPUT,
      noOutputExpected: isSilent(command),
      backgroundTaskId: id,
      ...(endsWithSubagent ? { backgroundEndsWithFinalResponse: true } : {}),
      ...defined({ backgroundCwdHint: hint }),
    },
    saysNoError: true,
  };
}

/** Lets a command go on that the agent has waited for long enough. */
export function moveToBackground(
  shell: RunningShell,
  printed: string,
  input: JsonObject,
  timeoutMs: number,
  keep: KeepCommand,
): ToolRun {
  const about = aboutOf(input);
  const { id, outputFile } = keep(shell, about);
  shell.letGo(LIMIT_MS);
  const moved =
    `Command did not complete within its ${spoken(timeoutMs)} timeout and was moved to the background (ID: ${id}). ` +
    `Output is being written to: ${outputFile}. ${TOLD_LATER} If it is still running after ${spoken(LIMIT_MS)} ` +
    'in the background, it will be stopped and you will be notified. It is running now: do not start a second copy ' +
    `while it runs. If it is no longer needed, stop it with TaskStop. ${HOW_TO_READ}`;
  return {
    content: [printed, moved].filter(Boolean).join('\n'),
    useResult: {
      ...NO_OUTPUT,
      stdout: printed,
      noOutputExpected: isSilent(about.command),
      backgroundTaskId: id,
      timedOutAfterMs: timeoutMs,
    },
    saysNoError: true,
  };
}

function aboutOf(input: JsonObject): { command: string; description: string } {
  const command = text(input, 'command');
  return { command, description: text(input, 'description') || command };
}

/** `2s`, `10m`, `2m 5s`. */
function spoken(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes > 0 ? `${minutes}m` : '', rest > 0 || minutes === 0 ? `${rest}s` : ''].filter(Boolean).join(' ');
}
