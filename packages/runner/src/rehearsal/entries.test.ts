import { relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UnderstudyError } from '@understudy/kit';
import { expect, it } from 'vitest';
import { sentEntry } from '../run/entry.js';
import { entryId, rehearsalEntries } from './entries.js';
import type { Rehearsal } from './load.js';
import { rehearsalPlayer } from './player.js';
import type { RehearsalDocument } from './schema.js';

function rehearsal(file: string, document: Partial<RehearsalDocument> = {}): Rehearsal {
  const scenario = { document: {}, warnings: [] };
  const source = {};
  return {
    file,
    name: file,
    document: { steps: [{ send: 'x' }], ...document },
    scenario,
    source,
    checks: [],
    warnings: [],
  };
}

it('runs each on its own agents and stage, or the default', () => {
  const matrix = rehearsal('m', { agent: ['claude', 'codex'], stage: 'sim' });
  expect(rehearsalEntries([matrix, rehearsal('d')])).toMatchObject([
    { agent: 'claude', stage: 'sim', round: 1 },
    { agent: 'codex', stage: 'sim', round: 1 },
    { agent: 'claude', stage: 'scripted', round: 1 },
  ]);
});

it('takes agents and stage from the command line instead', () => {
  const entries = rehearsalEntries([rehearsal('m', { agent: 'codex' })], { agents: ['gemini', 'kiro'], stage: 'live' });
  expect(entries).toMatchObject([
    { agent: 'gemini', stage: 'live' },
    { agent: 'kiro', stage: 'live' },
  ]);
});

it('takes the time of a step from the rehearsal, else from the flag, else from the project', () => {
  const timeOf = (document: Partial<RehearsalDocument>, timeoutMs?: number) =>
    rehearsalEntries([rehearsal('m', document)], { timeoutMs, defaults: { timeout_ms: 3 } })[0]?.options;
  expect(timeOf({ timeout_ms: 1 }, 2)).toMatchObject({ timeoutMs: 1 });
  expect(timeOf({}, 2)).toMatchObject({ timeoutMs: 2 });
  expect(timeOf({})).toMatchObject({ timeoutMs: 3 });
});

it('names an entry the same however its path is written', () => {
  const ids = ['x/a.toml', './x/a.toml', 'x/../x/a.toml', `${process.cwd()}/x/a.toml`].map((file) =>
    entryId(file, 'claude', 'sim'),
  );
  expect(new Set(ids).size).toBe(1);
});

it('has a folder name of its own for each path, agent and stage, and none that leads elsewhere', () => {
  const of = (file: string, agent: string, stage: 'sim' | 'scripted') =>
    rehearsalEntries([rehearsal(file)], { agents: [agent], stage })[0]?.folderName;
  const folders = [
    of('x/a.rehearsal.toml', 'claude@2.1.325', 'sim'),
    of('y/a.rehearsal.toml', 'claude@2.1.325', 'sim'),
    of('x/a.rehearsal.toml', 'claude@2.1.325', 'scripted'),
    of('x/a.rehearsal.toml', 'codex', 'sim'),
  ];
  expect(new Set(folders).size).toBe(4);
  expect(folders[0]).toBe('x-a.claude@2.1.325.sim');
  expect(of('../../a.rehearsal.toml', 'claude', 'sim')).toBe('a.claude.sim');
});

it('is skipped where the rehearsal says so', () => {
  const skipped = rehearsal('s', { skip: { sim: 'no browser' } });
  expect(rehearsalEntries([skipped], { stage: 'sim' })).toMatchObject([{ skip: 'no browser' }]);
});

it('is data, that is the same on another machine', () => {
  const all = rehearsalEntries([rehearsal('a', { agent: ['claude', 'codex'] })], {
    ...{ isolation: 'none', updateSnapshots: true, cassettes: { speed: 1, fromTurn: 2 } },
  });
  const sent = all.map((entry) => sentEntry(entry, (path) => relative('.', path)));
  expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
  expect(sent).toMatchObject([{ agent: 'claude', parts: ['a'] }, { agent: 'codex' }]);
});

it('is held by its player until that is told to let go', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const make = () => {
    const played = rehearsal('played');
    return { player: rehearsalPlayer([played]), played: new WeakRef(played) };
  };
  const { player, played } = make();
  // What a reference gave stays until the end of the task.
  const isHeld = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return played.deref() !== undefined;
  };
  expect(await isHeld()).toBe(true);
  player.release?.('played');
  expect(await isHeld()).toBe(false);
});

it('has an entry in error for a file that cannot be loaded, by what can be read of it', () => {
  const error = new UnderstudyError('DOCUMENT_SYNTAX', 'x has a problem');
  const broken = { file: 'x/b.rehearsal.toml', error, name: 'the guard', tags: ['slow'], stage: 'sim' as const };
  const entries = rehearsalEntries([broken, rehearsal('good')], { defaults: { agents: ['codex'] } });
  expect(entries).toMatchObject([
    { id: 'x/b.rehearsal.toml', name: 'the guard', tags: ['slow'], agent: 'codex', stage: 'sim', broken: error },
    { name: 'good' },
  ]);
});
