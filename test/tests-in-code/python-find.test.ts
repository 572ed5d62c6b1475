import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { optionalProgram } from '../helpers/optional-program.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram } from '../helpers/understudy.js';

const python = optionalProgram('python3', 'the test of how pytest-understudy finds the program');
const SHELL = '#!/bin/sh\n';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('python-find');
  mkdirSync(join(scratch.path, 'project'));
});
afterEach(() => scratch.remove());

/** What would be started in the project, with this one folder as PATH. */
async function found(path: string): Promise<string[]> {
  const code =
    'import json, os, sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); from find import find_command; ' +
    'os.environ["PATH"] = sys.argv[3]; print(json.dumps(find_command(None, Path(sys.argv[2]))))';
  const { stdout, stderr } = await runProgram(
    [python ?? '', '-B', '-c', code, resolve('python/src/pytest_understudy'), join(scratch.path, 'project'), path],
    { cwd: scratch.path, env: { UNDERSTUDY_COMMAND: '' } },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as string[];
}

function program(path: string): string {
  writeFiles(scratch.path, { [path]: SHELL });
  chmodSync(join(scratch.path, path), 0o755);
  return join(scratch.path, path);
}

it.runIf(python)('does not start a program of others that has the name understudy', async () => {
  const foreign = program('bin/understudy');
  writeFiles(scratch.path, { 'package.json': '{ "name": "something-else" }' });
  expect(await found(dirname(foreign))).toEqual([]);
  const npx = program('bin/npx');
  expect(await found(dirname(foreign))).toEqual([npx, '--yes', expect.stringMatching(/^agent-understudy@/)]);
});

it.runIf(python)('starts ours: by its full name, or by the short one where it is a link into our package', async () => {
  const own = program('lib/node_modules/agent-understudy/dist/bin/understudy.js');
  writeFiles(scratch.path, { 'lib/node_modules/agent-understudy/package.json': '{ "name": "agent-understudy" }' });
  mkdirSync(join(scratch.path, 'short'));
  symlinkSync(own, join(scratch.path, 'short/understudy'));
  expect(await found(join(scratch.path, 'short'))).toEqual([join(scratch.path, 'short/understudy')]);
  const full = program('full/agent-understudy');
  expect(await found(`${join(scratch.path, 'short')}:${dirname(full)}`)).toEqual([full]);
  const local = program('node_modules/.bin/agent-understudy');
  program('node_modules/.bin/understudy');
  expect(await found(dirname(full))).toEqual([local]);
});
