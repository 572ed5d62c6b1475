import type { CheckResult } from '../../checks/result.js';

/** One thing that happened, with what there is to see when it is opened. */
export interface TimelineItem {
  kind: string;
  title: string;
  /** Milliseconds since the first event. */
  at?: number;
  /** The number of its event. */
  seq?: number;
  tone?: 'good' | 'bad' | 'quiet';
  parts: TimelinePart[];
}

export type TimelinePart =
  | { label: string; text: string }
  | { label: string; before: string; after: string }
  | { label: string; check: CheckResult };

/** A turn, or the start or the end of the conversation. */
export interface TimelineTurn {
  title: string;
  /** How it ended, how long it took, what it cost. */
  facts: string[];
  failed: boolean;
  moves: { from: string; to: string }[];
  items: TimelineItem[];
}
