import { defined } from '@understudy/kit';
import type { PageDetails } from './page-data.js';
import type { TimelineTurn } from './timeline-turn.js';

/** A file of the project at one moment. */
export interface MomentFile {
  path: string;
  /** Absent where it was too long, or no text. */
  text?: string;
  /** What became of it since the start. */
  change?: 'created' | 'modified';
}

/** The project, the workflow and the terminal at one moment of a conversation. */
export interface Moment {
  files: MomentFile[];
  /** Files that were there at the start and are gone. */
  deleted: string[];
  /** How many files are not listed. */
  more: number;
  /** The stage of the workflow. */
  stage?: string;
  /** What the terminal showed last. */
  screen?: string;
}

/** How things were when an item of the timeline happened; `item` counts over all turns. */
export function momentAt(details: PageDetails, turns: readonly TimelineTurn[], item: number): Moment {
  const items = turns.flatMap((turn, number) => turn.items.map(({ seq }) => ({ seq, number })));
  const chosen = items[item];
  // A check and a request have no number of their own: they come after the event before them.
  const seq = Math.max(-1, ...items.slice(0, item + 1).flatMap((one) => one.seq ?? []));
  const past = details.events.filter((event) => event.seq <= seq);
  const stage = stageAt(turns, chosen?.number ?? 0);
  const screen = past.findLast((event) => event.type === 'screen');
  return {
    ...filesAt(details, past),
    ...defined({ stage }),
    ...(screen?.type === 'screen' ? { screen: screen.text } : {}),
  };
}

function filesAt({ project }: PageDetails, past: PageDetails['events']): Pick<Moment, 'files' | 'deleted' | 'more'> {
  const first = new Set(project?.files.map(({ path }) => path));
  const files = new Map<string, MomentFile>(project?.files.map((file) => [file.path, file]));
  for (const event of past) {
    if (event.type !== 'file_changed') continue;
    const { path, change, after } = event;
    if (change === 'deleted') {
      if (!first.has(path) && !files.has(path)) first.add(path);
      files.delete(path);
      continue;
    }
    // Without the files of the start, what was changed was there.
    if (change === 'modified' && project === undefined) first.add(path);
    const text = after === undefined ? {} : { text: after };
    files.set(path, { path, ...text, change: first.has(path) ? 'modified' : 'created' });
  }
  return {
    files: [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
    deleted: [...first].filter((path) => !files.has(path)).sort(),
    more: project?.more ?? 0,
  };
}

/** Moves are known by turn: an item of the turn stands where the turn led to. */
function stageAt(turns: readonly TimelineTurn[], number: number): string | undefined {
  const moves = turns.slice(0, number + 1).flatMap((turn) => turn.moves);
  return moves.at(-1)?.to ?? turns.flatMap((turn) => turn.moves)[0]?.from;
}
