import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../process/shell-word.js';
import { promptOfCall } from './call-prompt.js';
import type { Backend } from './case.js';
import { readOutput } from './loop/agent-output.js';

/** The variable that names the folder for recorded calls. Without it, none are recorded. */
const FOLDER = 'UNDERSTUDY_CALLS';
/** With this variable, a prompt that only names a file is replaced with the text of the file. */
const READ_TASK = 'UNDERSTUDY_READ_TASK';

/** What Ralph sends instead of a long prompt: the file to read. */
const POINTER = 'Please read and execute the task in ';

/** Whether a prompt only says in which file the prompt is. */
export function isPointer(prompt: string): boolean {
  return prompt.startsWith(POINTER);
}

/**
 * A scripted model cannot read files, so the shell reads the task for it. Then it records the arguments, input and
 * output of the agent, for orchestrators that do not. `exec` replaces the shell with the agent, so that signals and the
 * exit code are the agent's; `tee` ends when the agent does.
 */
const RECORD = `if [ -n "$${READ_TASK}" ]; then
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
if [ -n "$${FOLDER}" ]; then
  mkdir -p "$${FOLDER}"
  n=1; until mkdir "$${FOLDER}/$n" 2>/dev/null; do n=$((n + 1)); done
  call="$${FOLDER}/$n"
  for word in "\${0##*/}" "$@"; do printf '%s\\0' "$word"; done > "$call/command"
  mkfifo "$call/in" "$call/out" "$call/err"
  exec 3<&0
  tee "$call/stdin" <&3 > "$call/in" &
  tee "$call/stdout" < "$call/out" 3<&- &
  tee "$call/stderr" < "$call/err" >&2 3<&- &
  exec < "$call/in" > "$call/out" 2> "$call/err" 3<&-
fi
`;

/** A program that starts a command with the arguments that it gets, and records the call on request. */
export function programText(command: readonly string[]): string {
  return `#!/bin/sh\n${RECORD}exec ${command.map(shellWord).join(' ')} "$@"\n`;
}

/** One call of an agent. */
export interface AgentCall {
  backend: Backend;
  command: readonly string[];
  /** What the CLI took for its prompt. */
  prompt: string;
  /** The agent's words; for Claude, taken from its events. */
  output: string;
  stderr: string;
  toolCalls?: number;
  outputTokens?: number;
}

/** The folder for the calls of a step (from 0) of a case. */
function folderOf(workspace: string, step: number): string {
  return join(workspace, '.home/calls', String(step));
}

/** The variables that record the calls of a step; with a script, tasks are read for the model, too. */
export function keepCalls(workspace: string, step: number, scripted: boolean): Record<string, string> {
  return { [FOLDER]: folderOf(workspace, step), ...(scripted ? { [READ_TASK]: '1' } : {}) };
}

const BACKENDS: Readonly<Record<string, Backend>> = { claude: 'claude', 'kiro-cli': 'kiro', opencode: 'opencode' };

/** The calls of a step, in order. */
export function readCalls(workspace: string, step: number): AgentCall[] {
  const calls: AgentCall[] = [];
  for (let n = 1; existsSync(join(folderOf(workspace, step), String(n), 'command')); n++) {
    const read = (name: string) => {
      const file = join(folderOf(workspace, step), String(n), name);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const command = read('command').split('\0').slice(0, -1);
    const backend = BACKENDS[command[0] ?? ''];
    if (backend === undefined) continue;
    const prompt = promptOfCall(backend, command.slice(1), read('stdin'));
    calls.push({ backend, command, prompt, ...wordsOf(backend, command, read('stdout'), read('stderr')) });
  }
  return calls;
}

function wordsOf(backend: Backend, command: readonly string[], stdout: string, stderr: string) {
  const kind = backend === 'claude' ? (command.includes('stream-json') ? 'stream-json' : 'text') : backend;
  const reader = readOutput(kind);
  for (const line of stdout.replace(/\n$/, '').split('\n')) reader.readLine(line);
  for (const line of stderr.split('\n')) reader.readError(line);
  const { text: output, toolCalls, outputTokens } = reader;
  return {
    output,
    stderr,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}
