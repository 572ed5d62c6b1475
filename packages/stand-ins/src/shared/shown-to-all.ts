import type { Failure, Message } from '@understudy/script';
import type { ToolCall, TurnView } from './play-turn.js';
import type { StepUsage } from './step-usage.js';

/** Shows a turn in several views at once: to the user, and in the record of the session. */
export class ShownToAll<View extends TurnView> implements TurnView {
  protected readonly views: readonly View[];

  constructor(views: readonly View[]) {
    this.views = views;
  }

  onStepStart(): void {
    for (const view of this.views) view.onStepStart();
  }

  onText(text: string, pieces?: readonly string[]): void {
    for (const view of this.views) view.onText(text, pieces);
  }

  onThinking(text: string): void {
    for (const view of this.views) view.onThinking(text);
  }

  onToolStart(call: Pick<ToolCall, 'id' | 'name' | 'input'>): void {
    for (const view of this.views) view.onToolStart?.(call);
  }

  onToolCall(call: ToolCall): void {
    for (const view of this.views) view.onToolCall(call);
  }

  onStepEnd(message: Message, usage: StepUsage): void {
    for (const view of this.views) view.onStepEnd(message, usage);
  }

  onRetry(failure: Failure): void {
    for (const view of this.views) view.onRetry?.(failure);
  }

  onPartialText(partial: string, failure: Failure): void {
    for (const view of this.views) view.onPartialText(partial, failure);
  }
}
