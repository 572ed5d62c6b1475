import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationEvent, EventBody } from '@understudy/agents';
import { createScratch, type Scratch } from '@understudy/kit';
import { type Turn, turnOf } from '@understudy/stage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeTurn, normalize } from './describe-turn.js';
import { checkSnapshot, type SnapshotKey, snapshotFiles } from './snapshot.js';

let scratch: Scratch;
let place: SnapshotKey;
beforeEach(() => {
  scratch = createScratch('snapshot');
  place = { rehearsal: { file: join(scratch.path, 'a.rehearsal.toml') }, agent: 'claude', version: '2.1.325', step: 2 };
});
afterEach(() => scratch.remove());

const PLACES = { cwd: '/tmp/x/project', home: '/tmp/x/home' };

function turn(text: string): Turn {
  return turnOfBodies([
    { type: 'tool_call', id: 'toolu_1', tool: 'Write', input: { file_path: '/tmp/x/project/a.txt' } },
    { type: 'tool_result', id: 'toolu_1', tool: 'Write', text: 'wrote toolu_1', status: 'ok' },
    { type: 'permission', tool: 'Write', input: {}, decision: 'allow' },
    { type: 'file_changed', path: 'a.txt', change: 'created' },
    { type: 'commit', hash: 'abcdef1', message: 'feat: a', files: [] },
    { type: 'text', text },
  ]);
}

function turnOfBodies(actions: readonly EventBody[]): Turn {
  const bodies: EventBody[] = [
    { type: 'prompt', id: '1', text: 'hello' },
    ...actions,
    { type: 'turn_ended', outcome: 'completed', milliseconds: 12 },
  ];
  const events = bodies.map(
    (body, seq) => ({ seq, at: '2026-01-01T00:00:00Z', turn: 1, ...body }) as ConversationEvent,
  );
  const found = turnOf(events, 1);
  if (found === undefined) throw new Error('no turn');
  return found;
}

const local = { update: false, ci: false };
const ci = { update: false, ci: true };

it('describes a turn by what was said and done', () => {
  expect(normalize(describeTurn(turn('Done in 12 ms.')), PLACES)).toBe(
    [
      '> hello',
      '• Write {"file_path":"<project>/a.txt"}',
      '  → ok: wrote <id>',
      'permission Write: allow',
      'file a.txt created',
      'commit feat: a',
      'Done in <duration>.',
      '= completed',
    ].join('\n'),
  );
});

it('leaves out what changes from run to run, and nothing else', () => {
  const text =
    'at 2026-01-02T03:04:05.678Z 0f8fad5b-d9cb-469f-a165-70867728950e /tmp/x/home/y /tmp/understudy-12-0a1b2c.9z-t-a1B2c3/claude-0 1a2b3c4 feedface 42 added';
  expect(normalize(text, PLACES)).toBe('at <time> <id> <home>/y <tmp>/claude-0 <hash> feedface 42 added');
});

it.each([local, { ...local, update: true }])(
  'writes no snapshot of a turn in which nothing happened: %j',
  (options) => {
    expect(checkSnapshot(place, turnOfBodies([]), PLACES, options)).toMatchObject({
      status: 'failed',
      actual: 'not written, because nothing was said or done',
      suggestion: expect.stringContaining('remove `snapshot = true`'),
    });
    expect(existsSync(snapshotFiles(place).shared)).toBe(false);
  },
);

it('writes a snapshot that is missing, and holds the next turn against it', () => {
  expect(checkSnapshot(place, turn('Hi.'), PLACES, local)).toMatchObject({ status: 'passed', actual: 'written' });
  expect(snapshotFiles(place).shared).toBe(join(scratch.path, '__snapshots__', 'a.claude.step-2.txt'));
  expect(checkSnapshot(place, turn('Hi.'), PLACES, ci)).toMatchObject({ status: 'passed', actual: 'the same' });
  const differs = checkSnapshot(place, turn('Ho.'), PLACES, local);
  expect(differs).toMatchObject({ status: 'failed', actual: 'it differs', suggestion: expect.stringContaining('-u') });
  expect(differs.evidence.join()).toMatch(/-Hi\.[\s\S]*\+Ho\./);
});

it('writes it anew with update, and only then', () => {
  checkSnapshot(place, turn('Hi.'), PLACES, local);
  expect(checkSnapshot(place, turn('Ho.'), PLACES, { update: true, ci: false })).toMatchObject({ actual: 'updated' });
  expect(readFileSync(snapshotFiles(place).shared, 'utf8')).toContain('Ho.');
});

it('writes none on CI', () => {
  expect(checkSnapshot(place, turn('Hi.'), PLACES, ci)).toMatchObject({
    status: 'failed',
    actual: 'there is no snapshot',
  });
  expect(existsSync(snapshotFiles(place).shared)).toBe(false);
});

it('never stores a step that failed otherwise', () => {
  expect(checkSnapshot(place, turn('Hi.'), PLACES, { ...local, failed: true })).toMatchObject({ status: 'failed' });
  expect(existsSync(snapshotFiles(place).shared)).toBe(false);
});

it('masks durations, however they are written, and no other numbers', () => {
  const durations = ['12ms', '1.5 s', '0.0000 seconds', '2m 30s', '1h 5m', '3 minutes', '40 msecs'];
  for (const text of durations) expect(normalize(text, PLACES), text).toBe('<duration>');
  expect(normalize('"duration_ms": 1814, elapsed=0.3', PLACES)).toBe('"duration_ms": <duration>, elapsed=<duration>');
  expect(normalize('Process Group PGID: 1404', PLACES)).toBe('Process Group PGID: <pid>');
  const others = '5 m high, 3 tests, 2 hats, 12 models, tokens: 5, 10 h';
  expect(normalize(others, PLACES)).toBe(others);
});

it('is the same in whatever order tools, hooks and files came', () => {
  const call = (id: string, tool: string): EventBody => ({ type: 'tool_call', id, tool, input: {} });
  const back = (id: string, tool: string, text: string): EventBody => ({
    ...{ type: 'tool_result', id, tool, text, status: 'ok' },
  });
  const hook = (name: string): EventBody => ({
    ...{ type: 'hook_finished', id: name, name, event: name, stdout: '', stderr: '', outcome: 'success' },
    blocked: false,
  });
  const file = (path: string): EventBody => ({ type: 'file_changed', path, change: 'created' });
  const one = [
    ...[call('1', 'Bash'), call('2', 'Glob'), hook('Pre:A'), hook('Pre:B'), back('1', 'Bash', 'b\na')],
    ...[back('2', 'Glob', 'y.ts\nx.ts'), hook('Post:A'), file('a'), file('b')],
  ];
  const other = [
    ...[call('1', 'Bash'), hook('Pre:A'), call('2', 'Glob'), hook('Pre:B'), back('2', 'Glob', 'x.ts\ny.ts')],
    ...[hook('Post:A'), back('1', 'Bash', 'b\na'), file('b'), file('a')],
  ];
  expect(describeTurn(turnOfBodies(one))).toBe(describeTurn(turnOfBodies(other)));
  const swapped = one.map((body) =>
    body.type === 'tool_result' && body.tool === 'Bash' ? back('1', 'Bash', 'a\nb') : body,
  );
  expect(describeTurn(turnOfBodies(swapped)), 'the output of a command has an order').not.toBe(
    describeTurn(turnOfBodies(one)),
  );
});

it('has a file for one version where that differs from the others', () => {
  const old = { ...place, agent: 'claude@2.1.197', version: '2.1.197' };
  const own = join(scratch.path, '__snapshots__', 'a.claude@2.1.197.step-2.txt');
  const update = { update: true, ci: false };
  checkSnapshot(place, turn('Hi.'), PLACES, local);
  expect(checkSnapshot(old, turn('Hi.'), PLACES, ci)).toMatchObject({ status: 'passed' });
  expect(checkSnapshot(old, turn('Ho.'), PLACES, local)).toMatchObject({
    status: 'failed',
    suggestion: expect.stringContaining('--agent claude@2.1.197'),
  });
  expect(checkSnapshot(old, turn('Ho.'), PLACES, update)).toMatchObject({ actual: 'written' });
  expect(existsSync(own)).toBe(true);
  expect(checkSnapshot(old, turn('Ho.'), PLACES, ci)).toMatchObject({ status: 'passed' });
  expect(checkSnapshot(place, turn('Hi.'), PLACES, ci)).toMatchObject({ status: 'passed' });
  expect(checkSnapshot(place, turn('Ho.'), PLACES, ci)).toMatchObject({ status: 'failed' });
  expect(checkSnapshot(old, turn('Hi.'), PLACES, update)).toMatchObject({ status: 'passed' });
  expect(existsSync(own), 'it no longer differs').toBe(false);
});
