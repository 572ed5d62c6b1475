import { useMemo } from 'preact/hooks';
import { visibleOnOneLine } from '../../packages/kit/src/terminal/visible.js';
import { type GraphSource, layOut, NODE } from '../../packages/verdict/src/reporters/html/workflow-graph.js';

interface Props {
  source: GraphSource;
  moves: readonly { from: string; to: string }[];
}

const LONGEST = 18;

/** The whole workflow, with the way that was taken. */
export function WorkflowGraph({ source, moves }: Props) {
  const { width, height, nodes, edges } = useMemo(() => layOut(source, moves), [source, moves]);
  const way = [source.initial, ...moves.map(({ to }) => to)].join(', ');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that scrolls must be reachable by keyboard.
    <section class="graph" aria-label="Workflow graph" tabIndex={0}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`The workflow; the way taken: ${visibleOnOneLine(way)}`}
      >
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {edges.map(({ path, taken }) => (
          <path d={path} class={taken ? 'edge taken' : 'edge'} marker-end="url(#arrow)" />
        ))}
        {nodes.map(({ name, x, y, state }) => (
          <g class={`node ${state}`}>
            <title>{visibleOnOneLine(name)}</title>
            <rect {...{ x, y, ...NODE }} rx={14} />
            <text x={x + NODE.width / 2} y={y + NODE.height / 2 + 4} text-anchor="middle">
              {visibleOnOneLine(name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name)}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}
