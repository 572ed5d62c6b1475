import type { Message } from '@understudy/script';
import { ShownToAll } from '../shared/shown-to-all.js';
import type { StepUsage } from '../shared/step-usage.js';
import { addTokens } from './rollout.js';
import type { CodexView, RunHead, TokenTotals } from './view.js';

/** Shows a run to the user and writes it into the session's record; counts its tokens. */
export class ShownTwice extends ShownToAll<CodexView> implements CodexView {
  used: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

  onBegin(head: RunHead): void {
    for (const view of this.views) view.onBegin(head);
  }

  /** In OpenAI's counts, what came from the cache is part of the input. */
  override onStepEnd(message: Message, { input, cacheRead, ...rest }: StepUsage): void {
    const usage = { ...rest, cacheRead, input: input + cacheRead };
    this.used = addTokens(this.used, usage);
    super.onStepEnd(message, usage);
  }

  onDone(tokens: TokenTotals): void {
    for (const view of this.views) view.onDone(tokens);
  }

  onError(message: string): void {
    for (const view of this.views) view.onError(message);
  }
}
