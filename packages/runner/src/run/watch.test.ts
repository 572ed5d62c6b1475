import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { partsOfRehearsal } from '../rehearsal/entries.js';
import { Watch } from './watch.js';

let scratch: Scratch;
let watch: Watch | undefined;
beforeEach(() => {
  scratch = createScratch('watch');
});
afterEach(async () => {
  watch?.close();
  await scratch.remove();
});

const STEP = '[[responses]]\npattern = { type = "any" }\nresponse = "Fine."\n[[steps]]\nsend = "hello"\n';
const at = (path: string) => join(scratch.path, path);

function put(path: string, text = ''): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  return at(path);
}

/** Two rehearsals in a plugin's own folder, as `understudy init` leaves them: only the first one loads the plugin. */
function plugin(): { own: string; other: string } {
  put('commands/hello.md', 'Hello.');
  return {
    own: put('rehearsals/own.rehearsal.toml', `plugins = [".."]\n${STEP}`),
    other: put('rehearsals/other.rehearsal.toml', STEP),
  };
}

function watchFiles(files: string[], folders: string[] = []): Watch {
  const parts = new Map(files.map((file) => [file, partsOfRehearsal(file)]));
  return new Watch({ parts, folders, isNew: (path) => path.endsWith('.rehearsal.toml') });
}

const never = new AbortController().signal;
const within = (milliseconds: number) => AbortSignal.timeout(milliseconds);

it('knows what a rehearsal is made of', () => {
  put('rules.toml', '[[responses]]\npattern = { type = "any" }\nresponse = "Fine."\n');
  put('p/commands/a.md');
  put('fixture/a.txt');
  const text = 'scenario = "rules.toml"\nplugins = ["p"]\nworkflow = "epti"\nproject.path = "fixture"\n';
  const file = put('a.rehearsal.toml', `${text}[[steps]]\nsend = "x"\n`);
  expect(partsOfRehearsal(file)).toEqual([file, at('rules.toml'), at('p'), at('fixture')]);
});

it('gives the rehearsals that a change touches, and no others', async () => {
  const { own, other } = plugin();
  watch = watchFiles([own, other], [at('rehearsals')]);
  put('commands/hello.md', 'Good morning.');
  expect(await watch.touched(never)).toEqual({ names: [own], changed: [at('commands/hello.md')] });
  // It lies in the plugin that the first one loads, and is no part of it.
  put('rehearsals/other.rehearsal.toml', `${STEP}\n`);
  expect(await watch.touched(never)).toMatchObject({ names: [other] });
});

it('does not wake up by what a run writes', async () => {
  const { own, other } = plugin();
  watch = watchFiles([own, other], [scratch.path]);
  put('.understudy/last-run.json', '{}');
  put('rehearsals/__snapshots__/own.claude.step-1.txt', 'x');
  put('.git/index', 'x');
  expect(await watch.touched(within(600))).toBeUndefined();
});

it('takes a new rehearsal, and not one that is gone', async () => {
  const { own, other } = plugin();
  watch = watchFiles([other], [at('rehearsals')]);
  rmSync(own);
  const fresh = put('rehearsals/fresh.rehearsal.toml', STEP);
  expect(await watch.touched(never)).toMatchObject({ names: [fresh] });
});

it('keeps looking at a file that is broken now', async () => {
  const file = put('a.rehearsal.toml', 'steps = [');
  watch = watchFiles([file]);
  put('a.rehearsal.toml', STEP);
  expect(await watch.touched(never)).toMatchObject({ names: [file] });
});

it('does not lose a change that comes before anybody waits', async () => {
  const file = put('a.rehearsal.toml', STEP);
  watch = watchFiles([file]);
  put('a.rehearsal.toml', `${STEP}\n`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await watch.touched(never)).toMatchObject({ names: [file] });
});

it('ends when it is interrupted', async () => {
  watch = watchFiles([put('a.rehearsal.toml', STEP)]);
  expect(await watch.touched(within(50))).toBeUndefined();
});
