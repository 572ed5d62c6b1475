import type { Failure } from '@understudy/script';
import type { ToolCall, TurnView } from '../shared/play-turn.js';
import type { ApiFailure, InvalidStream } from './failures.js';

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

export interface RunHead {
  session: string;
  model: string;
  prompt: string;
}

/** Shows a run of Gemini CLI in one output format. */
export interface GeminiView extends TurnView {
  onBegin(head: RunHead): void;
  onRetry(failure: Failure): void;
  onDone(): void;
  onInvalidStream(problem: InvalidStream): void;
  onError(failure: ApiFailure): void;
}

/** What the user sees of a tool's result; nothing for some tools. */
export function shownResult({ result }: Pick<ToolCall, 'result'>): string | undefined {
  return 'shown' in result ? result.shown : result.text;
}
