import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidDocumentError } from '@understudy/kit';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../../ralph/loop/config.js';
import { routeEvent } from '../../ralph/loop/routing.js';
import { builtInAnalyzer, readAnalyzer } from './analyzer-config.js';

function written(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'analyzer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return join(folder, 'mine.yml');
}

function refusal(file: string): InvalidDocumentError {
  try {
    readAnalyzer(file);
  } catch (error) {
    if (error instanceof InvalidDocumentError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

const GOOD = 'hats:\n  critic:\n    triggers: [analyze.request]\n    publishes: [analyze.complete]\n';

it('has a built-in analyzer that the loop takes: one hat, one iteration, asked first', () => {
  const config = parseConfig(stringify(builtInAnalyzer().config));
  expect(config.event_loop).toMatchObject({ max_iterations: 1, starting_event: 'analyze.request' });
  const hat = routeEvent({ topic: 'analyze.request' }, config.hats);
  expect(hat?.publishes).toEqual(['analyze.complete']);
  expect(hat?.instructions).toContain('<event topic="analyze.complete">');
  expect(hat?.instructions.trim().split('\n').at(-1)).toBe(config.event_loop.completion_promise);
});

it('reads an analyzer of somebody else, and starts it with the request', () => {
  const { config, scenario } = readAnalyzer(written({ 'mine.yml': GOOD }));
  expect(config.event_loop).toEqual({ starting_event: 'analyze.request' });
  expect(scenario).toBeUndefined();
  const own = written({ 'mine.yml': `${GOOD}event_loop:\n  starting_event: begin\n  max_iterations: 4\n` });
  expect(readAnalyzer(own).config.event_loop).toEqual({ starting_event: 'begin', max_iterations: 4 });
});

it('leaves the start to the coordinator where no hat asks for the request', () => {
  const file = written({ 'mine.yml': 'hats:\n  critic:\n    triggers: [go]\n    publishes: [analyze.complete]\n' });
  expect(readAnalyzer(file).config.event_loop).toBeUndefined();
});

it('finds the scenario beside it, in TOML or JSON', () => {
  const toml = { 'mine.yml': GOOD, 'mine.scenario.toml': 'default_response = "one"' };
  expect(readAnalyzer(written(toml)).scenario).toMatchObject({ default_response: 'one' });
  const json = { 'mine.yml': GOOD, 'mine.scenario.json': '{"default_response": "two"}' };
  expect(readAnalyzer(written(json)).scenario).toMatchObject({ default_response: 'two' });
});

it('says what is wrong, where, and what to do', () => {
  expect(refusal(written({ 'mine.yml': 'cli: {}\nhats:\n  critic:\n    triggers: [go]\n' }))).toMatchObject({
    code: 'ANALYZER_INVALID',
    location: { line: 2 },
    fix: 'Add `publishes: [analyze.complete]` to a hat.',
  });
  expect(refusal(written({ 'mine.yml': `${GOOD}event_lop: {}\n` }))).toMatchObject({
    code: 'LOOP_CONFIG_INVALID',
    location: { line: 5 },
    fix: 'Change it to `event_loop`.',
  });
  expect(refusal(written({ 'mine.yml': 'hats: [' })).code).toBe('DOCUMENT_SYNTAX');
  expect(refusal(written({ 'mine.yml': GOOD, 'mine.scenario.toml': 'respones = []' })).code).toBe('SCENARIO_INVALID');
  expect(() => readAnalyzer('/nowhere/mine.yml')).toThrow('there is no file /nowhere/mine.yml');
});
