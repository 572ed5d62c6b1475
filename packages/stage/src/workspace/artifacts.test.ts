import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ArtifactIndex, captureArtifacts, folderName } from './artifacts.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('artifacts');
});
afterEach(() => scratch.remove());

const now = new Date('2026-01-01T00:00:00Z');

it('keeps texts, files and folders, and says in an index what there is', () => {
  const state = join(scratch.path, 'state');
  mkdirSync(state);
  writeFileSync(join(state, 'session.json'), '{}');
  symlinkSync('/etc/hostname', join(state, 'link'));
  writeFileSync(join(scratch.path, 'agent.log'), 'line\n');
  const { folder, index } = captureArtifacts({
    root: join(scratch.path, 'artifacts'),
    name: 'explore leads to plan',
    now,
    artifacts: [
      { kind: 'logs', name: 'agent.log', from: join(scratch.path, 'agent.log') },
      { kind: 'diffs', name: 'workspace.diff', content: '--- a\n' },
      { kind: 'screens', name: 'page.png', content: Buffer.from([0x89, 0x50]) },
      { kind: 'session-state', name: 'claude', from: state },
    ],
  });
  expect(index.files.map(({ path, bytes }) => `${path} ${bytes}`)).toEqual([
    'logs/agent.log 5',
    'diffs/workspace.diff 6',
    'screens/page.png 2',
    'session-state/claude/session.json 2',
  ]);
  expect(ArtifactIndex.parse(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')))).toEqual(index);
  expect(readFileSync(join(folder, 'logs/agent.log'), 'utf8')).toBe('line\n');
});

it('names what was not there to be kept', () => {
  const from = join(scratch.path, 'nothing.log');
  const { index } = captureArtifacts({
    root: scratch.path,
    name: 'x',
    now,
    artifacts: [{ kind: 'logs', name: 'a.log', from }],
  });
  expect(index).toMatchObject({ files: [], missing: [{ kind: 'logs', name: 'a.log', from }] });
});

it.each(['../up', 'a/b', '', '..', 'a\\b'])('refuses the artifact name %j', (name) => {
  expect(() =>
    captureArtifacts({ root: scratch.path, name: 'x', artifacts: [{ kind: 'logs', name, content: '' }] }),
  ).toThrow(expect.objectContaining({ code: 'WORKSPACE_ARTIFACT_NAME' }));
});

it('refuses two artifacts of one name', () => {
  const artifact = { kind: 'logs', name: 'a.log', content: '' } as const;
  expect(() => captureArtifacts({ root: scratch.path, name: 'x', artifacts: [artifact, artifact] })).toThrow(
    expect.objectContaining({ code: 'WORKSPACE_ARTIFACT_TWICE' }),
  );
});

it('makes folder names that are plain and do not collide', () => {
  expect(folderName('../../etc')).toMatch(/^etc-[0-9a-f]{6}$/);
  expect(folderName('a b')).not.toBe(folderName('a-b'));
  expect(folderName('…')).toMatch(/^run-/);
});

it('keeps no secret of a text or log, for nobody but this user to read', () => {
  const secret = `ghp_${'a'.repeat(36)}`;
  const from = join(scratch.path, 'events.jsonl');
  writeFileSync(from, `{"text":"${secret}"}\n`, { mode: 0o644 });
  const { folder } = captureArtifacts({
    root: scratch.path,
    name: 'secrets',
    artifacts: [
      { kind: 'logs', name: 'events.jsonl', from },
      { kind: 'conversation', name: 'one.md', content: `The token is ${secret}.` },
    ],
  });
  const kept = ['logs/events.jsonl', 'conversation/one.md'].map((path) => join(folder, path));
  expect(kept.map((file) => readFileSync(file, 'utf8'))).toEqual(['{"text":"[secret]"}\n', 'The token is [secret].']);
  expect(kept.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
});
