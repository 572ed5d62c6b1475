import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UntrustedFolder } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BackendCall } from '../orchestrators/agent-calls.js';
import { observe } from '../orchestrators/observation.js';
import { agentSays, hatSequence, promptContains } from './checks/loop-checks.js';
import { readRalphRecords } from './ralph-records.js';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'ralph-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(workspace, file)), { recursive: true });
  writeFileSync(join(workspace, file), text);
}

const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const at = (second: number) => `2026-11-15T04:05:0${second}.004741914+00:00`;
const own = (second: number, iteration: number, topic: string, payload: string) => ({
  ...{ ts: at(second), iteration, hat: 'loop', topic, payload },
});
const summary = (second: number, iteration: number) =>
  own(second, iteration, 'iteration.summary', '{"duration_ms":155}');
const end = (second: number, reason: string) =>
  own(second, 2, 'loop.terminate', `## Reason\n${reason}\n\n## Status\nx`);
const bus = (second: number, topic: string, payload = '') => ({
  ...{ ts: Date.parse(at(second)) + 1, event: 'bus.publish', data: { topic, payload, source: null, target: null } },
});
const call = (prompt: string, output = ''): BackendCall => ({
  ...{ backend: 'claude', command: ['claude', '--print'], prompt, output, stderr: '' },
});
const section = (n: number, hat: string, prompt: string) => `# Iteration ${n} — ${hat}\n\n${prompt}\n\n---\n\n`;

/** What ralph 2.10.1 left of a run with two hats. */
function twoHats(): void {
  write('.ralph/current-events', '.ralph/events-20261115-040556.jsonl');
  write(
    '.ralph/events-20261115-040556.jsonl',
    lines(
      own(0, 0, 'plan.start', 'Plan it.\n'),
      { ts: at(1), iteration: 1, hat: 'ralph', topic: 'build.task', payload: 'the lexer' },
      summary(1, 1),
      { ts: at(2), topic: 'build.done', payload: 'by `ralph emit`' },
      summary(2, 2),
      end(3, 'completed'),
    ),
  );
  write('.home/session.jsonl', lines(bus(1, 'build.task', 'the lexer'), bus(2, 'build.blocked', 'no evidence')));
  write('.ralph/diagnostics/2026-11-15T04-05-55/trace.jsonl', '');
  write(
    '.ralph/diagnostics/2026-11-15T04-05-56/prompt-log.md',
    section(1, 'planner', 'P1') + section(2, 'builder', 'P2'),
  );
}

it('puts iterations together from what Ralph and we have kept', () => {
  twoHats();
  const { iterations, events, termination } = readRalphRecords(new UntrustedFolder(workspace), [
    call('P1', 'planned'),
    call('P2', 'built'),
  ]);
  expect(termination).toBe('completed');
  expect(events.map(({ source, topic, payload }) => `${source}: ${topic} ${payload}`)).toEqual([
    'loop: plan.start Plan it.\n',
    'planner: build.task the lexer',
    'builder: build.blocked no evidence',
  ]);
  expect(iterations).toMatchObject([
    {
      ...{ iteration: 1, hat: 'planner', backend: 'claude', command: ['claude', '--print'], prompt: 'P1' },
      ...{ output: 'planned', milliseconds: 155, published: [{ topic: 'build.task' }] },
    },
    { iteration: 2, hat: 'builder', prompt: 'P2', output: 'built', published: [{ topic: 'build.blocked' }] },
  ]);
});

it('notes what was published of the agents’ events and is not in the events file', () => {
  twoHats();
  const says = (topic: string) => call('P', `<event topic="${topic}">x</event>`);
  const calls = ['build.task', 'build.lost', 'build.untaken'].map(says);
  write('.home/session.jsonl', lines(bus(1, 'build.task'), bus(2, 'build.lost'), bus(2, 'build.blocked')));
  expect(readRalphRecords(new UntrustedFolder(workspace), calls).unlogged).toEqual(['build.lost']);
});

it('knows that an agent said nothing which was never started', () => {
  twoHats();
  expect(readRalphRecords(new UntrustedFolder(workspace), [call('P1')]).iterations.map(({ output }) => output)).toEqual(
    ['', ''],
  );
});

it('is not misled by a prompt that looks like its log, nor by an agent that writes the loop’s topics', () => {
  twoHats();
  const fake = `note${'\n\n---\n\n'}# Iteration 2 — evil\n\nfake\n\n---\n\n# Iteration 3 — evil\n\nfake`;
  write(
    '.ralph/diagnostics/2026-11-15T04-05-56/prompt-log.md',
    section(1, 'planner', fake) + section(2, 'builder', 'P2'),
  );
  write(
    '.ralph/events-20261115-040556.jsonl',
    lines(
      { topic: 'iteration.summary', payload: '{}', iteration: 9, ts: at(0) },
      { topic: 'loop.terminate', payload: '## Reason\ncompleted', ts: at(0) },
      ...[null, 7, { payload: 'no topic' }, { topic: 'object', payload: { a: 1 } }],
      summary(1, 1),
      summary(2, 2),
      end(3, 'max_iterations'),
    ),
  );
  const { iterations, termination } = readRalphRecords(new UntrustedFolder(workspace), [call(fake), call('P2')]);
  expect(iterations.map(({ hat, prompt }) => [hat, prompt])).toEqual([
    ['planner', fake],
    ['builder', 'P2'],
  ]);
  expect(termination).toBe('max_iterations');
});

it('finds the next prompt after one whose last newline the CLI has cut', () => {
  twoHats();
  write(
    '.ralph/diagnostics/2026-11-15T04-05-56/prompt-log.md',
    section(1, 'planner', 'P1\n') + section(2, 'builder', 'P2\n'),
  );
  const { iterations } = readRalphRecords(new UntrustedFolder(workspace), [call('P1'), call('P2')]);
  expect(iterations.map(({ hat }) => hat)).toEqual(['planner', 'builder']);
});

it('tells the last run from one before it in the same second', () => {
  twoHats();
  write(
    '.ralph/events-20261115-040556.jsonl',
    lines(summary(1, 1), summary(2, 2), end(3, 'max_iterations'), summary(4, 1), end(5, 'completed')),
  );
  write(
    '.ralph/diagnostics/2026-11-15T04-05-56/prompt-log.md',
    section(1, 'planner', 'old') + section(2, 'builder', 'old') + section(1, 'ralph', 'new'),
  );
  const { iterations, termination } = readRalphRecords(new UntrustedFolder(workspace), [call('new')]);
  expect(iterations).toMatchObject([{ iteration: 1, hat: 'ralph', prompt: 'new' }]);
  expect(iterations).toHaveLength(1);
  expect(termination).toBe('completed');
});

it('takes the prompt from the log where the agent was only told where it is', () => {
  twoHats();
  const pointer = 'Please read and execute the task in /tmp/x';
  const { iterations } = readRalphRecords(new UntrustedFolder(workspace), [call(pointer), call(pointer)]);
  expect(iterations.map(({ prompt }) => prompt)).toEqual(['P1', 'P2']);
});

it('leaves out what this ralph does not record, and then nothing is judged by it', () => {
  twoHats();
  rmSync(join(workspace, '.ralph/diagnostics'), { recursive: true });
  const facts = readRalphRecords(new UntrustedFolder(workspace), []);
  expect(facts.iterations.map(({ iteration, hat, prompt, backend }) => [iteration, hat, prompt, backend])).toEqual([
    [1, undefined, undefined, undefined],
    [2, undefined, undefined, undefined],
  ]);
  const seen = observe(new UntrustedFolder(workspace), [], facts);
  const unjudged = { status: 'unjudged', actual: 'not recorded' };
  expect(promptContains(seen, 1, 'memories', false)).toMatchObject(unjudged);
  expect(agentSays(seen, 1, 'hello')).toMatchObject(unjudged);
  expect(hatSequence(seen, ['planner', 'builder'])).toMatchObject({ status: 'unjudged' });
});

it('knows of no end when there is none, and of nothing where there was no run', () => {
  expect(readRalphRecords(new UntrustedFolder(workspace), [])).toEqual({
    events: [],
    iterations: [],
    termination: undefined,
    unlogged: [],
  });
  twoHats();
  write('.ralph/events-20261115-040556.jsonl', `${lines(summary(1, 1))}{"torn`);
  expect(readRalphRecords(new UntrustedFolder(workspace), [call('P1'), call('P2')])).toMatchObject({
    termination: undefined,
  });
});

it('reads nothing outside of the workspace', () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  writeFileSync(join(outside, 'events.jsonl'), lines(end(1, 'completed')));
  write('.ralph/current-events', join('../', outside.split('/').at(-1) ?? '', 'events.jsonl'));
  expect(readRalphRecords(new UntrustedFolder(workspace), []).termination).toBeUndefined();
  write('.ralph/current-events', '.ralph/link.jsonl');
  symlinkSync(join(outside, 'events.jsonl'), join(workspace, '.ralph/link.jsonl'));
  expect(readRalphRecords(new UntrustedFolder(workspace), []).termination).toBeUndefined();
  rmSync(outside, { recursive: true });
});
