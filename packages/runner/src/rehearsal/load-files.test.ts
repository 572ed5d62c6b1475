import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { greeting } from '../../../../test/helpers/rehearsal-files.js';
import { isBroken, loadRehearsals } from './load-files.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('load-files');
});
afterEach(() => scratch.remove());

function load(texts: Record<string, string>) {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(scratch.path, name);
    writeFileSync(file, text);
    return file;
  });
  return loadRehearsals(files);
}

it('loads the others beside one that is broken', () => {
  const loaded = load({ 'a.rehearsal.toml': 'steps = [', 'b.rehearsal.toml': greeting() });
  expect(loaded.map(isBroken)).toEqual([true, false]);
  expect(loaded[0]).toMatchObject({ error: { code: 'DOCUMENT_SYNTAX' } });
});

it('reads of a broken file what can be read: a filter finds it by its name and tags', () => {
  const more = 'tags = ["slow"]\nstage = "simm"\nagent = ["codex", "claude"]';
  const [broken] = load({ 'a.rehearsal.toml': greeting({ name: 'the guard', more }) });
  expect(broken).toMatchObject({ name: 'the guard', tags: ['slow'], agent: ['codex', 'claude'], error: {} });
  expect(broken).toMatchObject({ stage: undefined });
});

it('takes a file that cannot be read for a broken one', () => {
  const [broken] = loadRehearsals([scratch.path]);
  expect(broken).toMatchObject({ file: scratch.path, error: { code: 'FILE_UNREADABLE' } });
});
