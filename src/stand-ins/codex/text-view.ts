import type { ToolCall } from '../shared/play-turn.js';
import type { Paint } from './paint.js';
import { type CodexView, type RunHead, type Streams, shellLine, type TokenTotals, troubleLine } from './view.js';

/** `codex exec`: the story on stderr, and the agent's last message on stdout. */
export class TextView implements CodexView {
  readonly #streams: Streams;
  readonly #version: string;
  readonly #paint: Paint;
  readonly #hidesReasoning: boolean;
  #cwd = '';
  #lastMessage: string | undefined;
  #serverOf: ReadonlyMap<string, string> = new Map();

  constructor(
    streams: Streams,
    { version, paint, hidesReasoning }: { version: string; paint: Paint; hidesReasoning: boolean },
  ) {
    this.#streams = streams;
    this.#version = version;
    this.#paint = paint;
    this.#hidesReasoning = hidesReasoning;
  }

  onBegin({
    session,
    cwd,
    model,
    approval,
    sandbox,
    effort,
    summary,
    prompt,
    hint,
    warnings,
    serverOf,
  }: RunHead): void {
    this.#serverOf = serverOf ?? new Map();
    this.#cwd = cwd;
    const paint = this.#paint;
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
      ...Object.entries(about).map(([name, value]) => `${paint('bold', `${name}:`)} ${value}`),
      '--------',
      paint('user', 'user'),
      hint ?? prompt,
      ...warnings.map((warning) => `${paint('warning', 'warning:')} ${warning}`),
    ];
    this.#tell(lines.join('\n'));
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text === '') return;
    this.#lastMessage = text;
    this.#tell(`${this.#paint('speaker', 'codex')}\n${text}`);
  }

  onThinking(text: string): void {
    if (!this.#hidesReasoning) this.#tell(this.#paint('dim', text));
  }

  onToolStart({ name }: Pick<ToolCall, 'name'>): void {
    if (this.#serverOf.has(name)) this.#tell(`${this.#serverCall(name)} ${this.#paint('dim', 'started')}`);
  }

  onToolCall(call: ToolCall): void {
    const paint = this.#paint;
    const { patch, shell, mcp, isError } = call.result;
    if (this.#serverOf.has(call.name)) {
      const how = isError ? paint('red', 'failed') : paint('green', 'completed');
      this.#tell(`${this.#serverCall(call.name)} ${paint('dim', `(${how})`)}`);
      if (mcp !== undefined && 'error' in mcp) this.#tell(paint('red', mcp.error));
    } else if (patch !== undefined) {
      const paths = patch.changes.map(({ path }) => paint('dim', path));
      const completed = `${paint('bold', 'patch:')} completed`;
      this.#tell([paint('bold', 'apply patch'), completed, ...paths, patch.diff].join('\n'));
    } else if (shell === undefined) {
      this.#streams.error(troubleLine(call, paint));
    } else {
      const { output, exit, running } = shell;
      const ended = exit === 0 ? paint('green', ' succeeded in 0ms:') : paint('red', ` exited ${exit} in 0ms:`);
      const command = `${paint('bold', shellLine(call))} in ${this.#cwd}`;
      this.#tell([paint('speaker', 'exec'), command, ...(running ? [] : [ended, output])].join('\n'));
    }
  }

  onStepEnd(): void {}

  onPartialText(): void {}

  onDone(tokens: TokenTotals | undefined): void {
    if (tokens !== undefined) {
      const { input, output, cacheRead } = tokens;
      this.#tell(`${this.#paint('dim', 'tokens used')}\n${(input - cacheRead + output).toLocaleString('en-US')}`);
    }
    if (this.#lastMessage !== undefined) this.#streams.out(`${this.#lastMessage}\n`);
  }

  onError(message: string, lastWords?: string): void {
    const line = `${this.#paint('error', 'ERROR:')} ${message}`;
    this.#tell(line);
    if (lastWords !== undefined) this.onText(lastWords);
    this.#tell(line);
  }

  #serverCall(name: string): string {
    return `${this.#paint('bold', 'mcp:')} ${this.#paint('user', `${this.#serverOf.get(name)}/${name}`)}`;
  }

  #tell(text: string): void {
    this.#streams.error(`${text}\n`);
  }
}
