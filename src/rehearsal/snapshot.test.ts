import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConversationEvent, EventBody } from '../agents/events.js';
import { type Turn, turnOf } from '../conversation/turn.js';
import { createScratch, type Scratch } from '../process/scratch.js';
import { describeTurn, normalize } from './describe-turn.js';
import { checkSnapshot, type SnapshotKey, snapshotFile } from './snapshot.js';

let scratch: Scratch;
let place: SnapshotKey;
beforeEach(() => {
  scratch = createScratch('snapshot');
  place = { rehearsal: { file: join(scratch.path, 'a.rehearsal.toml') }, agent: 'claude@2.1.325', step: 2 };
});
afterEach(() => scratch.remove());

const PLACES = { cwd: '/tmp/x/project', home: '/tmp/x/home' };

function turn(text: string): Turn {
  const bodies: EventBody[] = [
    { type: 'prompt', id: '1', text: 'hello' },
    { type: 'tool_call', id: 'toolu_1', tool: 'Write', input: { file_path: '/tmp/x/project/a.txt' } },
    { type: 'tool_result', id: 'toolu_1', tool: 'Write', text: 'wrote toolu_1', status: 'ok' },
    { type: 'permission', tool: 'Write', input: {}, decision: 'allow' },
    { type: 'file_changed', path: 'a.txt', change: 'created' },
    { type: 'commit', hash: 'abcdef1', message: 'feat: a', files: [] },
    { type: 'text', text },
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

it('writes a snapshot that is missing, and holds the next turn against it', () => {
  expect(checkSnapshot(place, turn('Hi.'), PLACES, local)).toMatchObject({ status: 'passed', actual: 'written' });
  expect(snapshotFile(place)).toBe(join(scratch.path, '__snapshots__', 'a.claude.step-2.txt'));
  expect(checkSnapshot(place, turn('Hi.'), PLACES, ci)).toMatchObject({ status: 'passed', actual: 'the same' });
  const differs = checkSnapshot(place, turn('Ho.'), PLACES, local);
  expect(differs).toMatchObject({ status: 'failed', actual: 'it differs', suggestion: expect.stringContaining('-u') });
  expect(differs.evidence.join()).toMatch(/-Hi\.[\s\S]*\+Ho\./);
});

it('writes it anew with update, and only then', () => {
  checkSnapshot(place, turn('Hi.'), PLACES, local);
  expect(checkSnapshot(place, turn('Ho.'), PLACES, { update: true, ci: false })).toMatchObject({ actual: 'updated' });
  expect(readFileSync(snapshotFile(place), 'utf8')).toContain('Ho.');
});

it('writes none on CI', () => {
  expect(checkSnapshot(place, turn('Hi.'), PLACES, ci)).toMatchObject({
    status: 'failed',
    actual: 'there is no snapshot',
  });
  expect(existsSync(snapshotFile(place))).toBe(false);
});

it('never stores a step that failed otherwise', () => {
  expect(checkSnapshot(place, turn('Hi.'), PLACES, { ...local, failed: true })).toMatchObject({ status: 'failed' });
  expect(existsSync(snapshotFile(place))).toBe(false);
});
