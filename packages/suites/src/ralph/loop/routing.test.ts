import { defined } from '@understudy/kit';
import { expect, it } from 'vitest';
import { parseConfig } from './config.js';
import { routeEvent, topicMatches } from './routing.js';

const { hats } = parseConfig(`
hats:
  everything: { triggers: ['*'] }
  builds: { triggers: ['build.*'] }
  builder: { name: The Builder, triggers: ['build.task'] }
  deep: { triggers: ['*.*.done'] }
`);
const route = (topic: string, target?: string) => routeEvent({ topic, ...defined({ target }) }, hats)?.id;

it('lets a star stand for one segment', () => {
  expect(topicMatches('build.*', 'build.done')).toBe(true);
  expect(topicMatches('build.*', 'build')).toBe(false);
  expect(topicMatches('build.*', 'build.task.abandoned')).toBe(false);
  expect(topicMatches('*.done', 'build.done')).toBe(true);
});

it('lets a lone star take everything', () => {
  expect(topicMatches('*', 'a.b.c')).toBe(true);
});

it('gives an event to the most specific trigger, whatever the order of hats', () => {
  expect(route('build.task')).toBe('builder');
  expect(route('build.done')).toBe('builds');
  expect(route('a.b.done')).toBe('deep');
  expect(route('review.start')).toBe('everything');
});

it('follows a target by id or name, past all triggers', () => {
  expect(route('build.task', 'deep')).toBe('deep');
  expect(route('x', 'The Builder')).toBe('builder');
});

it('leaves orphans and unknown targets to the coordinator', () => {
  expect(routeEvent({ topic: 'lost' }, hats.slice(1))).toBeUndefined();
  expect(route('build.task', 'nobody')).toBeUndefined();
});
