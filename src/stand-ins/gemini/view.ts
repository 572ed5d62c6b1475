import type { Failure } from '../../scenario/schema.js';
import type { ToolCall, TurnView } from '../shared/play-turn.js';
import type { ApiFailure, InvalidStream } from './failures.js';
import type { Part } from './files/file-content.js';

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

export interface RunHead {
  session: string;
  model: string;
  /** As the user wrote it. */
  prompt: string;
  /** As the model gets it, but for what hooks add. */
  parts: readonly Part[];
}

/** Shows a run of Gemini CLI in one output format. */
export interface GeminiView extends TurnView {
  onBegin(head: RunHead): void;
  /** The prompt calls a command that cannot be run. */
  onBrokenCommand(head: Omit<RunHead, 'prompt' | 'parts'>, problem: string): void;
  onRetry(failure: Failure): void;
  onDone(): void;
  /** A hook does not want the agent to go on; `isTold` where the document names it. */
  onStopped(message: string, isTold: boolean): void;
  /** A hook objects to what the agent was asked, or to its end. */
  onBlocked(message: string): void;
  /** The CLI itself asks the agent to go on. */
  onGoOn(reason: string): void;
  onInvalidStream(problem: InvalidStream): void;
  onError(failure: ApiFailure): void;
}

/** What the user sees of a tool's result; nothing for some tools. */
export function shownResult({ result }: Pick<ToolCall, 'result'>): string | undefined {
  return 'shown' in result ? result.shown : result.text;
}
