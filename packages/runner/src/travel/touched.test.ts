import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rehearsalEntries } from '../rehearsal/entries.js';
import { loadRehearsals } from '../rehearsal/load-files.js';
import { touchedBy } from './touched.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('touched');
});
afterEach(() => scratch.remove());

const at = (path: string) => join(scratch.path, path);
function put(path: string, text = ''): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  return at(path);
}

const RULE = '[[responses]]\npattern = { type = "any" }\nresponse = "Fine."\n';
const STEP = '[[steps]]\nsend = "hello"\n';

/** The names of the rehearsals that a change of these files touches. */
function touched(changed: string[], files: string[], common: string[] = []): string[] {
  const loaded = loadRehearsals(files);
  const isTouched = touchedBy({ files: changed.map(at), tops: [scratch.path], common: common.map(at) }, loaded);
  return rehearsalEntries(loaded)
    .filter(isTouched)
    .map(({ file = '' }) => file.slice(scratch.path.length + 1));
}

it('is touched by its file, its plugins, its bases, files that it names, snapshots and cassettes', () => {
  put('plugin/commands/hello.md');
  put('rows.csv', 'name\nx\n');
  put('tests/base.rehearsal.toml', `name = "base"\n${RULE}${STEP}`);
  const own = 'tests/own.rehearsal.toml';
  const rule = RULE.replace('"Fine."', '{ text = { "$file" = "answers/fine.txt" } }');
  put('tests/answers/fine.txt', 'Fine.');
  put(
    own,
    `plugins = ["../plugin"]\nmcp.x = { command = "./server.mjs" }\nextends = "base.rehearsal.toml"\n${rule}${STEP}`,
  );
  put('tests/other.rehearsal.toml', `${RULE}${STEP}`);
  const files = [at(own), at('tests/other.rehearsal.toml')];
  for (const change of [
    ...[
      own,
      'plugin/commands/new.md',
      'plugin',
      'tests/base.rehearsal.toml',
      'tests/answers/fine.txt',
      'tests/server.mjs',
    ],
    ...['tests/__snapshots__/own.snap', 'tests/cassettes/own.claude.cassette.jsonl'],
  ]) {
    expect([change, ...touched([change], files)]).toEqual([change, own]);
  }
  for (const change of ['src/main.py', 'tests/cassettes/owner.cassette.jsonl', 'plugin2/a']) {
    expect([change, ...touched([change], files)]).toEqual([change]);
  }
});

it('is touched by what all tests have, such as understudy.toml', () => {
  const files = ['a', 'b'].map((name) => put(`${name}.rehearsal.toml`, `${RULE}${STEP}`));
  expect(touched(['understudy.toml'], files, ['understudy.toml'])).toHaveLength(2);
});

it('is touched by everything but other rehearsals where it runs a program, and where it cannot be loaded', () => {
  const files = [
    put('run.rehearsal.toml', `${RULE}[[steps]]\nrun = ["true"]\n`),
    put('broken.rehearsal.toml', 'x = 1\n'),
  ];
  expect(touched(['src/deep/main.py'], files)).toEqual(['run.rehearsal.toml', 'broken.rehearsal.toml']);
  expect(touched(['other.rehearsal.toml'], files)).toEqual([]);
  expect(touched([], files)).toEqual([]);
});

it('is touched by a repository in the repository that has changed, whatever changed in it', () => {
  put('sub/plugin/commands/a.md');
  const file = put('a.rehearsal.toml', `plugins = ["sub/plugin"]\n${RULE}${STEP}`);
  expect(touched(['sub'], [file])).toEqual(['a.rehearsal.toml']);
  rmSync(at('sub'), { recursive: true });
});
