import { type LoopEvent, textOutsideEvents } from './events.js';

/**
 * Whether the agent has said that everything is done: the promise is its last line outside of events, or the topic of
 * the last event of the iteration. Anywhere else it does not count.
 */
export function isComplete(text: string, events: readonly Pick<LoopEvent, 'topic'>[], promise: string): boolean {
  return lastLine(textOutsideEvents(text)) === promise.trim() || events.at(-1)?.topic === promise.trim();
}

function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '');
}
