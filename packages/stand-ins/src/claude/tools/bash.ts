import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInsideAny } from '@understudy/agents';
import { defined, type JsonObject, readIfThere } from '@understudy/kit';
import { runShell, type ShellRun } from '../../shared/tools/shell.js';
import { REFUSED } from '../refused.js';
import { answerOf } from './exit-codes.js';
import { type LiveTool, number, refuse, type ToolContext, ToolFailure, type ToolRun, text } from './live-tool.js';
import { printedFile } from './printed-file.js';
import { shellCommandLine } from './shell-line.js';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_OUTPUT = 30_000;
/** From so many seconds on, a command must not begin with waiting. */
const LONG_SECONDS = 25;

export const bash: LiveTool = {
  parameters: {
    command: { type: 'string', required: true },
    description: { type: 'string' },
    timeout: { type: 'number' },
    run_in_background: { type: 'boolean' },
    dangerouslyDisableSandbox: { type: 'boolean' },
  },

  check(input, { hasBackground }) {
    if (input['run_in_background'] === true) refuse(REFUSED.backgroundShells);
    // Before it runs, the real CLI says what to do in its place.
    const [, seconds = '0'] = /^\s*sleep\s+(\d+(?:\.\d+)?)\s*(?:$|[;&|#\n])/.exec(text(input, 'command')) ?? [];
    if (hasBackground && Number(seconds) >= LONG_SECONDS) refuse(REFUSED.longSleeps);
    return undefined;
  },

  async run(input: JsonObject, context: ToolContext): Promise<ToolRun> {
    const command = text(input, 'command');
    const timeoutMs = number(input, 'timeout') ?? DEFAULT_TIMEOUT_MS;
    const run = await runInShell(command, timeoutMs, context);
    const said = shorten(run.output.replace(/^(\s*\n)+/, '').trimEnd());
    if (run.timedOut) {
      // Who only waits does not need to go on.
      if (context.hasBackground && !/^\s*sleep\b/.test(command)) refuse(REFUSED.backgroundShells);
      const after = `Command timed out after ${Math.floor(timeoutMs / 1000)}s`;
      throw new ToolFailure(['Exit code 143', after, said].filter(Boolean).join('\n'));
    }
    const exitCode = run.signal === undefined ? run.exitCode : codeOfSignal(run.signal);
    const answer = answerOf(command, exitCode);
    if (exitCode !== 0 && answer === undefined)
      throw new ToolFailure([`Exit code ${exitCode}`, said].filter(Boolean).join('\n'));
    seePrinted(command, context);
    const folder = run.finalCwd === undefined ? context.cwd : sameName(run.finalCwd, context.project);
    const left = !isInsideAny(context.directories, folder);
    const next = left ? context.project : folder;
    const hasMoved = next !== context.cwd;
    if (hasMoved) context.moveTo(next);
    const note = left ? `Shell cwd was reset to ${context.project}` : '';
    const content = [said, note].filter(Boolean).join('\n');
    return {
      content: content === '' ? '(Bash completed with no output)' : content,
      useResult: {
        stdout: said,
        stderr: left ? `\n${note}` : '',
        interrupted: false,
        isImage: false,
        ...defined({ returnCodeInterpretation: answer }),
      },
      saysNoError: true,
      ...(hasMoved ? { hasMoved } : {}),
    };
  },
};

/** The exit code that the CLI reports for a shell that a signal has ended. */
function codeOfSignal(signal: NodeJS.Signals): number {
  return signal === 'SIGTERM' ? 144 : 1;
}

/** A command that prints a file shows it to the model. */
function seePrinted(command: string, { cwd, seenFiles }: ToolContext): void {
  const printed = printedFile(command);
  if (printed === undefined) return;
  const path = resolve(cwd, printed.file);
  const lines = readIfThere(path)?.replace(/\n$/, '').split('\n').length ?? 0;
  seenFiles.see(path, { whole: printed.lines >= lines, watched: true });
}

/** Runs a command to its end, or as long as the agent waits for it. */
async function runInShell(
  command: string,
  timeoutMs: number,
  { cwd, env, prelude, signal }: ToolContext,
): Promise<ShellRun> {
  try {
    return await runShell(command, { cwd, env, signal, timeoutMs, commandLine: shellCommandLine(command, prelude) });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ToolFailure((error as Error).message);
  }
}

/** The shell resolves links. The session's own directory keeps the name that it has there. */
function sameName(path: string, project: string): string {
  return realpathSync(project) === path ? project : path;
}

function shorten(output: string): string {
  if (output.length <= LONGEST_OUTPUT) return output;
  const cut = output.slice(0, LONGEST_OUTPUT);
  const lines = output.slice(LONGEST_OUTPUT).split('\n').length;
  return `${cut}\n\n... [${lines} lines truncated] ...`;
}
