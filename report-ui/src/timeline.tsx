import { Component } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type {
  TimelineItem,
  TimelinePart,
  TimelineTurn,
} from '../../packages/verdict/src/reporters/html/timeline-turn.js';
import { Check } from './check.js';
import { Diff } from './diff.js';
import { replaceRoute } from './route.js';
import { Block, Line, seconds } from './text.js';

interface Props {
  turns: readonly TimelineTurn[];
  test: string;
  /** The chosen item, counted over all turns. */
  chosen: number | undefined;
}

/** The conversation, turn by turn. Arrow keys (or j and k) walk, Enter opens, the address names the place. */
export function Timeline({ turns, test, chosen }: Props) {
  const list = useRef<HTMLElement>(null);
  const total = turns.reduce((sum, { items }) => sum + items.length, 0);
  // Keys may come faster than the page is drawn.
  const current = useRef(chosen);
  current.current = chosen;
  const choose = (item: number) => {
    current.current = Math.min(Math.max(item, 0), total - 1);
    replaceRoute({ test, item: current.current });
  };

  const chooser = useRef(choose);

  useEffect(() => {
    if (chosen === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-item="${chosen}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector<HTMLElement>('summary')?.focus({ preventScroll: true });
  }, [chosen]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      choose(current.current === undefined ? 0 : current.current + step);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  let first = 0;
  return (
    <section ref={list} aria-label="Timeline" class="timeline">
      {turns.map((turn) => {
        const own = first;
        first += turn.items.length;
        const isHere = chosen !== undefined && chosen >= own && chosen < first;
        return <Turn turn={turn} first={own} chosen={isHere ? chosen : undefined} choose={chooser.current} />;
      })}
    </section>
  );
}

interface TurnProps {
  turn: TimelineTurn;
  /** The number of its first item. */
  first: number;
  chosen: number | undefined;
  choose(item: number): void;
}

/** Drawn again only when its own choice changes: a conversation may have hundreds of turns. */
class Turn extends Component<TurnProps> {
  override shouldComponentUpdate({ turn, chosen }: TurnProps): boolean {
    return turn !== this.props.turn || chosen !== this.props.chosen;
  }

  override render({ turn, first, chosen, choose }: TurnProps) {
    return (
      <section class={turn.failed ? 'turn failed' : 'turn'}>
        <h3>
          <Line text={turn.title} />
          {turn.facts.map((fact) => (
            <small>{fact}</small>
          ))}
          {turn.moves.map(({ from, to }) => (
            <small class="move">
              <Line text={`${from} → ${to}`} />
            </small>
          ))}
        </h3>
        <ol>
          {turn.items.map((item, index) => {
            const number = first + index;
            return <Item item={item} number={number} isChosen={number === chosen} onChoose={() => choose(number)} />;
          })}
        </ol>
      </section>
    );
  }
}

interface ItemProps {
  item: TimelineItem;
  number: number;
  isChosen: boolean;
  onChoose(): void;
}

function Item({ item, number, isChosen, onChoose }: ItemProps) {
  const { kind, title, at, tone, parts } = item;
  const line = (
    <>
      <span class="time">{at === undefined ? '' : seconds(at)}</span>
      <span class={`kind ${tone ?? ''}`}>{kind}</span>
      <span class="title">
        <Line text={title} />
      </span>
    </>
  );
  return (
    <li class={isChosen ? 'item chosen' : 'item'} data-item={number}>
      <details open={tone === 'bad' && kind === 'check'}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by nature. */}
        <summary onClick={onChoose} class={parts.length === 0 ? 'empty' : ''}>
          {line}
        </summary>
        {parts.map((part) => (
          <Part part={part} />
        ))}
      </details>
    </li>
  );
}

function Part({ part }: { part: TimelinePart }) {
  if ('check' in part) return <Check check={part.check} />;
  return (
    <div class="part">
      <p class="dim">
        <Line text={part.label} />
      </p>
      {'text' in part ? (
        <Block text={part.text} label={part.label} />
      ) : (
        <Diff before={part.before} after={part.after} label={`changes of ${part.label}`} />
      )}
    </div>
  );
}
