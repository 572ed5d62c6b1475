import type { ToolCall } from '../shared/play-turn.js';
import { INTERRUPTED, reviewOutput } from './review.js';
import { sessionMeta, toolItem, userItem } from './rollout.js';
import { RolloutFile } from './rollout-file.js';
import type { CodexView, RunHead } from './view.js';

/** The record of a session that has started a review; its reviewer has a record of its own. */
export class ReviewRollout implements CodexView {
  readonly #place: { home: string; version: string; reviewer: string; turnId: string; reviewTurn: string };
  #file: RolloutFile | undefined;
  #session = '';
  #cwd = '';
  #lastText: string | undefined;

  constructor(place: { home: string; version: string; reviewer: string; turnId: string; reviewTurn: string }) {
    this.#place = place;
  }

  onBegin({ session, cwd, prompt, hint }: RunHead): void {
    this.#session = session;
    this.#cwd = cwd;
    const { home, version, reviewTurn } = this.#place;
    this.#file = new RolloutFile(home, session);
    this.#file.write('session_meta', sessionMeta({ session, id: session, cwd, version }));
    this.#item({ type: 'EnteredReviewMode', user_facing_hint: hint });
    this.#file.started(reviewTurn);
    this.#reviewerItem(userItem(prompt));
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text !== '') this.#lastText = text;
  }

  onThinking(text: string): void {
    this.#reviewerItem({ type: 'Reasoning', summary_text: [text] });
  }

  onToolCall(call: ToolCall): void {
    const item = toolItem(call, this.#cwd);
    if (item !== undefined) this.#reviewerItem(item);
  }

  onStepEnd(): void {}

  onPartialText(): void {}

  onDone(): void {
    this.#end(reviewOutput(this.#lastText));
  }

  onError(): void {
    this.#end(INTERRUPTED);
  }

  #end(said: string): void {
    this.#item({ type: 'ExitedReviewMode' });
    this.#file?.message('assistant', 'output_text', said);
    this.#item({ type: 'AgentMessage', content: [{ type: 'Text', text: said }] });
    this.#file?.completed(this.#place.turnId, null);
  }

  #item(item: Record<string, unknown>): void {
    this.#file?.item({ thread: this.#session, turn: this.#place.turnId }, item);
  }

  #reviewerItem(item: Record<string, unknown>): void {
    this.#file?.item({ thread: this.#place.reviewer, turn: this.#place.reviewTurn }, item);
  }
}
