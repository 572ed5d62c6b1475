import type { ToolCall, TurnView } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import type { Paint } from './paint.js';
import { quoteWord } from './quote.js';

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

/** What a run is about, for the head of its output. */
export interface RunHead {
  session: string;
  cwd: string;
  model: string;
  approval: string;
  sandbox: string;
  effort: string;
  /** Which summaries of its reasoning the model is asked for. */
  summary: string;
  prompt: string;
  /** What is shown in place of the prompt of a review. */
  hint?: string;
  warnings: readonly string[];
  /** The MCP server of each tool that has one. */
  serverOf?: ReadonlyMap<string, string>;
}

/** The tokens of all turns of a session so far. */
export type TokenTotals = StepUsage;

/** Shows a run of Codex. */
export interface CodexView extends TurnView {
  onBegin(head: RunHead): void;
  /** Without tokens, they were not counted. */
  onDone(tokens: TokenTotals | undefined): void;
  /** `lastWords`: what is said between the error and the end. */
  onError(message: string, lastWords?: string): void;
}

/** The shell's command line, as Codex tells it. */
export function shellLine({ input }: Pick<ToolCall, 'input'>): string {
  return `/bin/bash -lc ${quoteWord(String(input['cmd'] ?? ''))}`;
}

/** What stderr says of a tool that did not run: Codex's own log, or what the stand-in cannot do. */
export function troubleLine({ name, result }: Pick<ToolCall, 'name' | 'result'>, paint: Paint): string {
  if (result.notRun)
    return `understudy-codex: the stand-in does not run ${name}; give the call a result in the scenario\n`;
  if (!result.isError) return '';
  const time = paint('dim', new Date().toISOString().replace('Z', '000Z'));
  const origin = `${paint('dim', 'codex_core::tools::router')}${paint('dim', ':')}`;
  return `${time} ${paint('red', 'ERROR')} ${origin} ${paint('italic', 'error')}${paint('dim', '=')}${result.text}\n`;
}
