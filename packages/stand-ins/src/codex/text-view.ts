import type { ToolCall } from '../shared/play-turn.js';
import { type CodexView, type RunHead, type Streams, shellLine, type TokenTotals, troubleLine } from './view.js';

/** `codex exec`: the story on stderr, and the agent's last message on stdout. */
export class TextView implements CodexView {
  readonly #streams: Streams;
  readonly #version: string;
  #cwd = '';
  #lastMessage: string | undefined;

  constructor(streams: Streams, version: string) {
    this.#streams = streams;
    this.#version = version;
  }

  onBegin({ session, cwd, model, approval, sandbox, effort, summary, prompt, warnings }: RunHead): void {
    this.#cwd = cwd;
    const roots = sandbox === 'workspace-write' ? ' [workdir, /tmp, $TMPDIR]' : '';
    const about = {
      workdir: cwd,
      model,
      provider: 'understudy',
      approval,
      sandbox: `${sandbox}${roots}`,
      'reasoning effort': effort,
      'reasoning summaries': summary,
      'session id': session,
    };
    const lines = [
      `OpenAI Codex v${this.#version}`,
      '--------',
      ...Object.entries(about).map(([name, value]) => `${name}: ${value}`),
      '--------',
      'user',
      prompt,
      ...warnings.map((warning) => `warning: ${warning}`),
    ];
    this.#print(lines.join('\n'));
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text === '') return;
    this.#lastMessage = text;
    this.#print(`codex\n${text}`);
  }

  onThinking(text: string): void {
    this.#print(text);
  }

  onToolCall(call: ToolCall): void {
    const { patch, shell } = call.result;
    if (patch !== undefined)
      this.#print(['apply patch', 'patch: completed', ...patch.changes.map(({ path }) => path), patch.diff].join('\n'));
    else if (shell === undefined) this.#streams.error(troubleLine(call));
    else {
      const { output, exit, running } = shell;
      const ended = exit === 0 ? ' succeeded in 0ms:' : ` exited ${exit} in 0ms:`;
      this.#print(['exec', `${shellLine(call)} in ${this.#cwd}`, ...(running ? [] : [ended, output])].join('\n'));
    }
  }

  onStepEnd(): void {}

  onPartialText(): void {}

  onDone({ input, output, cacheRead }: TokenTotals): void {
    this.#print(`tokens used\n${(input - cacheRead + output).toLocaleString('en-US')}`);
    if (this.#lastMessage !== undefined) this.#streams.out(`${this.#lastMessage}\n`);
  }

  onError(message: string): void {
    this.#print(`ERROR: ${message}`);
    this.#print(`ERROR: ${message}`);
  }

  #print(text: string): void {
    this.#streams.error(`${text}\n`);
  }
}
