import { expect, it } from 'vitest';
import { layOut } from './workflow-graph.js';

const source = {
  initial: 'idle',
  stages: ['idle', 'exploring', 'planning', 'coding', 'lost'],
  transitions: [
    { from: 'idle', to: 'exploring' },
    { from: 'exploring', to: 'planning' },
    { from: 'exploring', to: 'coding' },
    { from: 'planning', to: 'idle' },
    { from: 'nowhere', to: 'idle' },
  ],
};

it('places stages by their distance, and marks the way that was taken', () => {
  const moves = [
    { from: 'idle', to: 'exploring' },
    { from: 'exploring', to: 'coding' },
  ];
  const { nodes, edges, width, height } = layOut(source, moves);
  expect(nodes.map(({ name, state }) => `${name} ${state}`)).toEqual([
    ...['idle visited', 'exploring visited', 'planning open', 'coding last', 'lost open'],
  ]);
  const x = (name: string) => nodes.find((node) => node.name === name)?.x ?? 0;
  expect(x('exploring')).toBeGreaterThan(x('idle'));
  expect(x('planning')).toBe(x('coding'));
  expect(edges.map(({ from, to, taken }) => `${from} ${to} ${taken}`)).toEqual([
    ...['idle exploring true', 'exploring planning false', 'exploring coding true', 'planning idle false'],
  ]);
  expect(Math.max(...nodes.map((node) => node.x))).toBeLessThan(width);
  expect(Math.max(...nodes.map((node) => node.y))).toBeLessThan(height);
});

it('stands at the first stage when nothing moved', () => {
  expect(layOut(source, []).nodes.find(({ state }) => state === 'last')?.name).toBe('idle');
});
