import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkFile } from '../checks/files-changed.js';
import { createScratch, type Scratch } from '../process/scratch.js';
import { EventLog } from './event-log.js';
import { ProjectWatch } from './project-watch.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('watch');
});
afterEach(() => scratch.remove());

function makeFiles(count: number): void {
  for (let number = 0; number < count; number++) writeFileSync(join(scratch.path, `${number}.txt`), '');
}

it('a turn that makes too many files gives a problem and no exception; later turns stay unwatched', () => {
  const watch = new ProjectWatch(scratch.path, { mostEntries: 10 });
  expect(watch.begin()).toEqual([]);
  makeFiles(11);
  const first = watch.changes();
  expect(first.problem).toMatchObject({
    code: 'WORKSPACE_TOO_LARGE',
    fix: expect.stringMatching(/^Write fewer files/),
  });
  expect(first.events).toEqual([
    { type: 'files_not_watched', message: expect.stringContaining('more than 10 files'), fix: expect.any(String) },
  ]);
  const second = watch.changes();
  expect(second.problem).toBeUndefined();
  expect(second.events).toMatchObject([{ type: 'files_not_watched' }]);
});

it('a check on files cannot pass when the files were not watched', () => {
  makeFiles(11);
  const watch = new ProjectWatch(scratch.path, { mostEntries: 10 });
  expect(watch.begin()).toMatchObject([{ type: 'notice', level: 'warning' }]);
  const log = new EventLog();
  const turn = watch.changes().events.map((event) => log.append(event));
  expect(checkFile({ turn, all: turn }, { path: 'a.txt', change: 'unchanged' })).toMatchObject({
    status: 'unjudged',
    actual: expect.stringContaining('not known'),
    suggestion: expect.stringMatching(/^Write fewer files/),
  });
});

it('a project that the turn removed has lost its files', () => {
  mkdirSync(join(scratch.path, 'project'));
  writeFileSync(join(scratch.path, 'project', 'a.txt'), 'a');
  const watch = new ProjectWatch(join(scratch.path, 'project'));
  watch.begin();
  rmSync(join(scratch.path, 'project'), { recursive: true });
  expect(watch.changes()).toEqual({
    events: [{ type: 'file_changed', path: 'a.txt', change: 'deleted', before: 'a' }],
  });
});
