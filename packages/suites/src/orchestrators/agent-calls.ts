import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS_VARIABLE, promptOfCall, type RecordedCall, type Told } from '@understudy/agents';
import { defined, type UntrustedFolder } from '@understudy/kit';
import { agentOfProgram, readCallFiles, toldCalls } from '@understudy/stage';
import { readOutput } from '../ralph/loop/agent-output.js';
import { type Backend, backends } from './case.js';

/** With this variable, a prompt that only names a file is replaced with the text of the file. */
const READ_TASK = 'UNDERSTUDY_READ_TASK';

/** What Ralph sends instead of a long prompt: the file to read. */
const POINTER = 'Please read and execute the task in ';

/** Whether a prompt only says in which file the prompt is. */
export function isPointer(prompt: string): boolean {
  return prompt.startsWith(POINTER);
}

/** A scripted model cannot read files, so the shell reads the task for it before it starts the agent. */
export const readTask = `if [ -n "$${READ_TASK}" ]; then
  for word; do
    shift
    task="\${word#${POINTER}}"
    if [ "$task" != "$word" ] && [ -f "$task" ]; then
      # The shell would cut the newlines at its end.
      text="$(cat "$task"; printf .)"; word="\${text%.}"
    fi
    set -- "$@" "$word"
  done
fi
`;

/** One call of an agent. */
export interface BackendCall {
  backend: Backend;
  command: readonly string[];
  /** What the CLI took for its prompt. */
  prompt: string;
  /** The agent's words; for Claude, taken from its events. */
  output: string;
  stderr: string;
  /** `null`: it was killed. Absent if it did not end. */
  code?: number | null;
  failed?: boolean;
  milliseconds?: number;
  toolCalls?: number;
  outputTokens?: number;
  costUsd?: number;
}

/** The folder for the calls of a step (from 0) of a case. */
function folderOf(step: number): string {
  return `.home/calls/${step}`;
}

/** The variables that record the calls of a step; with a script, tasks are read for the model, too. */
export function keepCalls(workspace: string, step: number, scripted: boolean): Record<string, string> {
  const folder = join(workspace, folderOf(step));
  mkdirSync(folder, { recursive: true });
  return { [CALLS_VARIABLE]: folder, ...(scripted ? { [READ_TASK]: '1' } : {}) };
}

/** The calls of a step, in order. In a sandbox, real CLIs have recorders that tell; stand-ins write files here. */
export function readCalls(
  workspace: UntrustedFolder,
  step: number,
  told?: { by: Told; workspace: string },
): BackendCall[] {
  const calls =
    told === undefined
      ? readCallFiles(workspace, folderOf(step))
      : toldCalls(told.by.tellers(), join(told.workspace, folderOf(step)));
  return calls.flatMap((call, index): BackendCall[] => {
    const { words: command, stdin = '', stdout = '', stderr = '', startedAt, ended } = call;
    const agent = agentOfProgram(command[0] ?? '');
    const backend = backends.find((name) => name === agent);
    if (backend === undefined) return [];
    return [
      {
        ...{ backend, command, prompt: promptOfCall(backend, command.slice(1), stdin) },
        ...wordsOf(backend, command, stdout, stderr),
        ...endOf(ended, calls[index + 1]?.number !== undefined),
        ...defined({
          milliseconds: ended === undefined ? undefined : Math.round(ended.at - startedAt),
        }),
      },
    ];
  });
}

/** A call that is killed at once cannot write its end: that another call followed shows that it had one. */
function endOf(ended: RecordedCall['ended'], followed: boolean): Pick<BackendCall, 'code' | 'failed'> {
  if (ended === undefined) return followed ? { code: null, failed: true } : {};
  return { code: ended.code, failed: ended.code !== 0 };
}

function wordsOf(backend: Backend, command: readonly string[], stdout: string, stderr: string) {
  const kind = backend === 'claude' ? (command.includes('stream-json') ? 'stream-json' : 'text') : backend;
  const reader = readOutput(kind);
  for (const line of stdout.replace(/\n$/, '').split('\n')) reader.readLine(line);
  for (const line of stderr.split('\n')) reader.readError(line);
  const { text: output, toolCalls, outputTokens, costUsd } = reader;
  return {
    output,
    stderr,
    ...defined({ toolCalls, outputTokens, costUsd }),
  };
}
