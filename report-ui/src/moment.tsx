import { useMemo } from 'preact/hooks';
import { type MomentFile, momentAt } from '../../packages/verdict/src/reporters/html/moment.js';
import type { PageDetails } from '../../packages/verdict/src/reporters/html/page-data.js';
import type { TimelineTurn } from '../../packages/verdict/src/reporters/html/timeline-turn.js';
import { replaceRoute } from './route.js';
import { Block, Line } from './text.js';

interface Props {
  details: PageDetails;
  turns: readonly TimelineTurn[];
  test: string;
  /** The chosen item, counted over all turns. */
  chosen: number | undefined;
}

/** A step through time: the project, the stage and the screen as they were at the chosen item. */
export function Moment({ details, turns, test, chosen }: Props) {
  const total = turns.reduce((sum, { items }) => sum + items.length, 0);
  const item = Math.min(chosen ?? total - 1, total - 1);
  const moment = useMemo(() => momentAt(details, turns, item), [details, turns, item]);
  if (total === 0) return null;
  const { files, deleted, more, stage, screen } = moment;
  const changed = files.filter(({ change }) => change !== undefined);
  const others = files.filter(({ change }) => change === undefined);
  const facts = [
    ...(stage === undefined ? [] : [`stage ${stage}`]),
    `${changed.length + deleted.length} of ${files.length + deleted.length + more} files changed`,
    ...(screen === undefined ? [] : ['a screen']),
  ];
  return (
    <section class="moment" aria-label="Step through time">
      <label>
        <span class="dim">
          {item + 1} of {total}
        </span>
        <input
          type="range"
          min={0}
          max={total - 1}
          value={item}
          aria-label="Moment"
          onInput={(event) => replaceRoute({ test, item: Number(event.currentTarget.value) })}
        />
      </label>
      <details>
        <summary>
          At this moment: <Line text={facts.join(', ')} />
        </summary>
        {screen === undefined ? null : <Block text={screen} label="the screen" />}
        {changed.map((file) => (
          <File file={file} />
        ))}
        {deleted.map((path) => (
          <p>
            <span class="kind bad">deleted</span> <Line text={path} />
          </p>
        ))}
        {others.length + more === 0 ? null : (
          <details>
            <summary>
              {others.length + more} files as at the start{more === 0 ? '' : `, ${more} of them not kept`}
            </summary>
            {others.map((file) => (
              <File file={file} />
            ))}
          </details>
        )}
      </details>
    </section>
  );
}

function File({ file: { path, text, change } }: { file: MomentFile }) {
  return (
    <details class="file">
      <summary>
        {change === undefined ? null : <span class="kind good">{change}</span>} <Line text={path} />
      </summary>
      {text === undefined ? <p class="dim">no text, or too long to keep</p> : <Block text={text} label={path} />}
    </details>
  );
}
