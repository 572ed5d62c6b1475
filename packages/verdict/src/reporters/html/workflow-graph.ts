/** The stages of a workflow, and the ways between them. */
export interface GraphSource {
  initial: string;
  stages: readonly string[];
  transitions: readonly { from: string; to: string }[];
}

export interface GraphNode {
  name: string;
  x: number;
  y: number;
  state: 'last' | 'visited' | 'open';
}

export interface GraphEdge {
  from: string;
  to: string;
  /** The line of an SVG path. */
  path: string;
  taken: boolean;
}

export interface Graph {
  width: number;
  height: number;
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export const NODE = { width: 140, height: 30 };
const GAP = { x: 60, y: 26 };
const MARGIN = 10;

/** Places the stages in columns by their distance from the first one, and marks the way that was taken. */
export function layOut(source: GraphSource, moves: readonly { from: string; to: string }[]): Graph {
  const columns = columnsOf(source);
  const last = moves.at(-1)?.to ?? source.initial;
  const visited = new Set([source.initial, ...moves.flatMap(({ from, to }) => [from, to])]);
  const nodes = columns.flatMap((names, column) =>
    names.map((name, row): GraphNode => {
      const x = MARGIN + column * (NODE.width + GAP.x);
      const y = MARGIN + row * (NODE.height + GAP.y);
      return { name, x, y, state: name === last ? 'last' : visited.has(name) ? 'visited' : 'open' };
    }),
  );
  const placeOf = new Map(nodes.map((node) => [node.name, node]));
  const rows = Math.max(1, ...columns.map((names) => names.length));
  const bottom = MARGIN + rows * (NODE.height + GAP.y);
  const taken = new Set(moves.map(({ from, to }) => JSON.stringify([from, to])));
  const pairs = new Map(source.transitions.map(({ from, to }) => [JSON.stringify([from, to]), { from, to }]));
  let back = 0;
  const edges = [...pairs].flatMap(([key, { from, to }]): GraphEdge[] => {
    const [start, end] = [placeOf.get(from), placeOf.get(to)];
    if (start === undefined || end === undefined) return [];
    const path = end.x > start.x ? forward(start, end) : around(start, end, bottom + 8 * back++);
    return [{ from, to, path, taken: taken.has(key) }];
  });
  return {
    width: 2 * MARGIN + columns.length * (NODE.width + GAP.x) - GAP.x,
    height: bottom + 8 * back,
    nodes,
    edges,
  };
}

/** By the number of moves from the first stage; what cannot be reached comes last. */
function columnsOf({ initial, stages, transitions }: GraphSource): string[][] {
  const depth = new Map([[initial, 0]]);
  const queue = [initial];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const { from, to } of transitions) {
      if (from !== next || depth.has(to)) continue;
      depth.set(to, (depth.get(next) ?? 0) + 1);
      queue.push(to);
    }
  }
  const deepest = Math.max(...depth.values());
  const columns = Array.from({ length: deepest + 2 }, (): string[] => []);
  for (const name of new Set([initial, ...stages])) columns[depth.get(name) ?? deepest + 1]?.push(name);
  return columns.filter((names) => names.length > 0);
}

function forward(start: GraphNode, end: GraphNode): string {
  const [x1, y1] = [start.x + NODE.width, start.y + NODE.height / 2];
  const [x2, y2] = [end.x, end.y + NODE.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

/** A way back goes below all stages. */
function around(start: GraphNode, end: GraphNode, y: number): string {
  const [x1, x2] = [start.x + NODE.width / 2 + 10, end.x + NODE.width / 2 - 10];
  return `M${x1} ${start.y + NODE.height} L${x1} ${y} L${x2} ${y} L${x2} ${end.y + NODE.height}`;
}
