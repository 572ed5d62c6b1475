import { expect, it } from 'vitest';
import { argumentsOf } from '../orchestrators/orchestrator.js';
import { dialectOf, pathFor, referenceDialect } from './dialect.js';

it('knows where a version keeps its memories', () => {
  const file = '.ralph/agent/memories.md';
  expect(pathFor(file, dialectOf('2.2.5'))).toBe('.agent/memories.md');
  expect(pathFor(file, dialectOf('2.3.0'))).toBe(file);
  expect(pathFor(file, referenceDialect)).toBe(file);
  expect(pathFor(file, dialectOf('ralph, built from abc123'))).toBe(file);
  expect(pathFor('poem.txt', dialectOf('2.2.5'))).toBe('poem.txt');
});

it('speaks to each in its words', () => {
  expect(argumentsOf({ run: ['--', 'x'] }, referenceDialect)).toEqual(['run', '-c', 'ralph.yml', '--', 'x']);
  expect(argumentsOf({ run: ['--', 'x'] }, dialectOf('2.10.1'))).toEqual([
    ...['run', '-c', 'ralph.yml', '--no-tui', '--record-session', '.home/session.jsonl', '--', 'x'],
  ]);
  expect(argumentsOf({ memory: ['list'] }, dialectOf('2.10.1'))).toEqual(['tools', 'memory', 'list']);
  expect(argumentsOf({ emit: ['done', 'x'] }, referenceDialect)).toEqual(['emit', 'done', 'x']);
});

it('has a Ralph keep what it can, and reads tasks only for scripts', () => {
  expect(dialectOf('2.10.1').environment('/w', 1, 'sim')).toEqual({
    RALPH_DIAGNOSTICS: '1',
    UNDERSTUDY_CALLS: '/w/.home/calls/1',
    UNDERSTUDY_READ_TASK: '1',
  });
  expect(dialectOf('2.10.1').environment('/w', 1, 'live')).not.toHaveProperty('UNDERSTUDY_READ_TASK');
  expect(referenceDialect.environment('/w', 1, 'sim')).toEqual({});
});
