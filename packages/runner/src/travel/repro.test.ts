import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type InvalidDocumentError, type Scratch } from '@understudy/kit';
import type { EntryResult, RunResult } from '@understudy/verdict';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFiles } from '../../../../test/helpers/rehearsal-files.js';
import { describeReproduction, openRepro } from './open-repro.js';
import { readRepro } from './repro-file.js';
import { type ExportOptions, makeRepro } from './write-repro.js';

const KEY = `ghp_${'a1B2'.repeat(9)}`;

let scratch: Scratch;
let before: string;
beforeEach(() => {
  scratch = createScratch('repro-test');
  before = process.cwd();
  mkdirSync(at('here'));
  process.chdir(at('here'));
});
afterEach(async () => {
  process.chdir(before);
  await scratch.remove();
});

const at = (...path: string[]) => join(scratch.path, ...path);

const REHEARSAL = `project = { path = "app" }
[[responses]]
pattern = { type = "any" }
response = "fine"
[[steps]]
send = "hello"
expect.says = "excellent"
`;

const failed: EntryResult = {
  ...{ id: 'a.rehearsal.toml claude sim', kind: 'rehearsal', name: 'a', file: 'a.rehearsal.toml', tags: [] },
  ...{ agent: 'claude', stage: 'sim', round: 1, status: 'failed', attempts: 1, duration_ms: 1, rerun: '', checks: [] },
  steps: [
    {
      ...{ number: 1, send: 'hello', reached: true, said: 'fine', duration_ms: 1 },
      checks: [
        {
          ...{ name: 'says', category: 'keywords', status: 'failed', evidence: [] },
          ...{ expected: 'excellent', actual: 'fine' },
          subject: { kind: 'agent' },
        } as unknown as EntryResult['steps'][number]['checks'][number],
      ],
    },
  ],
};
const run = {
  understudy_version: '0.1.0',
  environment: { os: 'linux', node: 'v22' },
  entries: [failed],
} as unknown as RunResult;

const exported = (options: ExportOptions = {}, entry = failed) =>
  makeRepro(entry, { run, folder: '.' }, { environment: {}, ...options });

const paths = (repro: ReturnType<typeof exported>) => repro.files.map(({ path }) => path);

it('carries the rehearsal and what it is made of, and unpacks it as it was', () => {
  writeFiles('.', { 'a.rehearsal.toml': REHEARSAL, 'app/run.sh': '#!/bin/sh\r\necho é\n', 'other.txt': 'other' });
  writeFileSync('app/image', Buffer.from([0, 255, 1]));
  mkdirSync('app/empty');
  symlinkSync('./run.sh', 'app/link');
  const repro = exported();
  expect(paths(repro)).toEqual([
    ...['a.rehearsal.toml', 'app/empty', 'app/image', 'app/link', 'app/run.sh', 'understudy.toml'],
  ]);
  expect(repro.play).toEqual({ rehearsal: 'a.rehearsal.toml', agents: ['claude'], stage: 'sim' });
  expect(repro.red).toMatchObject([{ step: 1, check: 'says', expected: 'excellent' }]);
  writeFiles('there', { 'a.understudy-repro.json': JSON.stringify(repro) });
  process.chdir('there');
  const opened = openRepro('a.understudy-repro.json', {});
  expect(opened).toMatchObject({ folder: '.understudy/repro/a', options: { agents: ['claude'], stage: 'sim' } });
  expect(opened.loaded).toMatchObject([{ file: '.understudy/repro/a/a.rehearsal.toml' }]);
  for (const path of ['a.rehearsal.toml', 'app/run.sh', 'app/image']) {
    expect(readFileSync(join(opened.folder, path)), path).toEqual(readFileSync(join('..', path)));
  }
  expect(readlinkSync(join(opened.folder, 'app/link'))).toBe('run.sh');
  const again = { ...failed, file: '.understudy/repro/a/a.rehearsal.toml' };
  expect(describeReproduction(opened, { ...run, entries: [again] })).toContain('red as when it was exported');
  const green = { ...again, status: 'passed' as const, steps: [] };
  expect(describeReproduction(opened, { ...run, entries: [green] })).toContain('not red any more: step 1, says');
});

it('does not play what was changed where it was unpacked, and overwrites nothing', () => {
  writeFiles('.', { 'a.rehearsal.toml': REHEARSAL, 'app/a.txt': 'a' });
  writeFiles('there', { 'a.understudy-repro.json': JSON.stringify(exported()) });
  process.chdir('there');
  const { folder } = openRepro('a.understudy-repro.json', {});
  openRepro('a.understudy-repro.json', {});
  writeFileSync(join(folder, 'app/a.txt'), 'mended');
  expect(() => openRepro('a.understudy-repro.json', {})).toThrow(expect.objectContaining({ code: 'REPRO_CHANGED' }));
  expect(readFileSync(join(folder, 'app/a.txt'), 'utf8')).toBe('mended');
});

it('leaves secrets, private files and what lies elsewhere where they are, and says so', () => {
  writeFiles(scratch.path, { 'far/secret.txt': 'far', 'here/a.rehearsal.toml': `${REHEARSAL}# "../far/secret.txt"\n` });
  writeFiles('app', { 'config.json': `{"key":"${KEY}"}`, '.env': 'A=b', '.env.example': 'A=', '.git/HEAD': 'x' });
  writeFileSync('app/keys.bin', Buffer.from(`\0${KEY}`));
  symlinkSync(at('far/secret.txt'), 'app/away');
  const repro = exported();
  expect(JSON.stringify(repro)).not.toContain(KEY);
  expect(JSON.stringify(repro)).not.toContain(scratch.path);
  expect(repro.redacted).toEqual(['app/config.json']);
  expect(paths(repro)).toEqual(['a.rehearsal.toml', 'app/.env.example', 'app/config.json', 'understudy.toml']);
  expect(repro.left_out.map(({ path }) => path).sort()).toEqual([
    ...['../far/secret.txt', 'app/.env', 'app/.git', 'app/away', 'app/keys.bin'],
  ]);
  const wished = exported({ bundle: ['app/.env', '../far'], without: ['app/config.json'] });
  expect(paths(wished)).toContain('here/app/.env');
  expect(paths(wished)).toContain('far/secret.txt');
  expect(paths(wished)).not.toContain('here/app/config.json');
});

it('hides values of the environment, and refuses what is too large', () => {
  writeFiles('.', { 'a.rehearsal.toml': REHEARSAL, 'app/note.txt': 'the word is hunter2hunter2' });
  const repro = exported({ environment: { MY_TOKEN: 'hunter2hunter2' } });
  expect(JSON.stringify(repro)).toContain('the word is [secret]');
  const half = 'x'.repeat(3 * 1024 * 1024);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) writeFiles('app', { [name]: half });
  expect(() => exported()).toThrow(expect.objectContaining({ code: 'BUNDLE_TOO_LARGE' }));
  expect(paths(exported({ without: ['a', 'b', 'c', 'd', 'e'].map((name) => `app/${name}`) }))).toContain('app/f');
});

it('takes the cassette of a test on replay', () => {
  writeFiles('.', { 'a.rehearsal.toml': REHEARSAL, 'app/a.txt': 'a', 'cassettes/a.claude.cassette.jsonl': '{}' });
  const repro = exported({}, { ...failed, id: 'a.rehearsal.toml claude replay', stage: 'replay' });
  expect(paths(repro)).toContain('cassettes/a.claude.cassette.jsonl');
});

it('exports nothing that is no rehearsal, or not there any more', () => {
  writeFiles('.', { 'a.rehearsal.toml': REHEARSAL, 'app/a.txt': 'a' });
  expect(() => exported({}, { ...failed, kind: 'case' })).toThrow('is a case of a suite');
  expect(() => exported({}, { ...failed, id: 'a.rehearsal.toml [old] claude sim' })).toThrow('is no test of');
});

const good = {
  ...{ understudy_repro: 1, about: '', test: 'a', understudy_version: '0.1.0', os: '', node: '', red: [] },
  ...{ exported_at: '2026-11-19T00:00:00.000Z', left_out: [], redacted: [] },
  play: { rehearsal: 'a.rehearsal.toml', agents: ['claude'], stage: 'sim' },
};
const file = (path: string) => ({ path, lines: [''] });
const link = (path: string, to: string) => ({ path, link: to });

it.each([
  ['a path that leads up', [file('../a')]],
  ['a path that leads up later', [file('a/../../b')]],
  ['an absolute path', [file('/tmp/understudy-hostile')]],
  ['a path of Windows', [file('..\\a')]],
  ['a drive', [file('C:a')]],
  ['an empty path', [file('')]],
  ['a path with a NUL', [file('a\0b')]],
  ['the same path twice', [file('a'), file('A')]],
  ['a file below a link', [link('a', 'b'), file('a/b')]],
  ['a file below a link in other letters', [link('A', 'b'), file('a/b')]],
  ['a link that leads up', [link('a', '../b')]],
  ['a link that leads up from a folder', [link('a/b', '../../c')]],
  ['a link that leads up behind another', [link('a/l', '..'), link('b', 'a/l/..')]],
  ['an absolute link', [link('a', '/etc/passwd')]],
  ['a link to nothing', [link('a', '')]],
])('refuses %s, and writes nothing', (_what, files) => {
  const hostile = { ...good, files: [file('a.rehearsal.toml'), ...files] };
  writeFileSync('x.understudy-repro.json', JSON.stringify(hostile));
  expect(() => openRepro('x.understudy-repro.json', {})).toThrow(expect.objectContaining({ code: 'REPRO_INVALID' }));
  expect(existsSync('.understudy')).toBe(false);
});

it('refuses what is no exported test, with the place', () => {
  writeFileSync('x.understudy-repro.json', JSON.stringify({ ...good, files: [] }));
  expect(() => readRepro('x.understudy-repro.json')).toThrow(expect.objectContaining({ code: 'REPRO_INVALID' }));
  writeFileSync('x.understudy-repro.json', JSON.stringify({ ...good, files: [file('a.rehearsal.toml')], more: 1 }));
  let error: unknown;
  try {
    readRepro('x.understudy-repro.json');
  } catch (caught) {
    error = caught;
  }
  expect((error as InvalidDocumentError).problems).toMatchObject([{ code: 'UNKNOWN_FIELD', location: { line: 1 } }]);
});

it('asks before a stranger spends money, and writes through no link', () => {
  const live = { ...good, files: [file('a.rehearsal.toml')], play: { ...good.play, stage: 'live' } };
  writeFileSync('x.understudy-repro.json', JSON.stringify(live));
  expect(() => openRepro('x.understudy-repro.json', {})).toThrow(expect.objectContaining({ code: 'REPRO_LIVE' }));
  mkdirSync(at('elsewhere'));
  symlinkSync(at('elsewhere'), '.understudy');
  expect(() => openRepro('x.understudy-repro.json', { stage: 'sim' })).toThrow(
    expect.objectContaining({ code: 'OWN_FOLDER_IS_LINK' }),
  );
});
