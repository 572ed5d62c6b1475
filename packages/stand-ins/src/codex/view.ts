import type { ToolCall, TurnView } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
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
  warnings: readonly string[];
}

/** The tokens of all turns of a session so far. */
export type TokenTotals = StepUsage;

/** Shows a run of Codex. */
export interface CodexView extends TurnView {
  onBegin(head: RunHead): void;
  onDone(tokens: TokenTotals): void;
  onError(message: string): void;
}

/** The shell's command line, as Codex shows it. */
export function shellLine({ input }: Pick<ToolCall, 'input'>): string {
  return `/bin/bash -lc ${quoteWord(String(input['cmd'] ?? ''))}`;
}

/** What stderr says of a tool that did not run: Codex's own log, or what the stand-in cannot do. */
export function troubleLine({ name, result }: Pick<ToolCall, 'name' | 'result'>): string {
  if (result.notRun)
    return `understudy-codex: the stand-in does not run ${name}; give the call a result in the scenario\n`;
  if (!result.isError) return '';
  const time = new Date().toISOString().replace('Z', '000Z');
  return `${time} ERROR codex_core::tools::router: error=${result.text}\n`;
}
