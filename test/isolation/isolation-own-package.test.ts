import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import { runProgram } from '../helpers/understudy.js';

const problem = await sandboxProblem();

/** Regular expressions, wherever they are, need a package that is not in the bundle. */
const REHEARSAL = `name = "regex"
stage = "sim"
project = { files = { ".claude/settings.json" = '{"permissions":{"deny":["Read(.env)"]}}' } }
[[responses]]
pattern = { type = "regex", pattern = "^go (.*)" }
response = { text = "To {{1}}.", tool_calls = [
  { tool = "Bash", input = { command = "cat a.txt; true", description = "x" } } ] }
[[steps]]
send = "go home"
[steps.expect]
says = "To home."
tools = { any = ["Bash"] }
`;

/** Below the folder for temporary files, which a sandbox hides as it hides homes. */
let scratch: Scratch;

beforeAll(() => {
  scratch = createScratch('own-package');
});

afterAll(() => scratch.remove());

function at(...path: string[]): string {
  return join(scratch.path, ...path);
}

/** The package as it is built, without its dependencies. */
function copyPackage(folder: string): void {
  cpSync(resolve('dist/bin'), join(folder, 'dist/bin'), { recursive: true });
  cpSync(resolve('package.json'), join(folder, 'package.json'));
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** How the package and its dependencies lie on the disk, and the package as somebody starts it. */
const LAYOUTS: Readonly<Record<string, () => string>> = {
  'a checkout': () => {
    copyPackage(at('checkout'));
    cpSync(resolve('node_modules/re2js'), at('checkout/node_modules/re2js'), { recursive: true });
    return at('checkout');
  },
  'a checkout that is linked into a project': () => {
    copyPackage(at('sources/understudy'));
    cpSync(resolve('node_modules/re2js'), at('sources/node_modules/re2js'), { recursive: true });
    link(at('sources/understudy'), at('project/node_modules/agent-understudy'));
    return at('project/node_modules/agent-understudy');
  },
  'links into a store, as pnpm and npm with the strategy "linked" make them': () => {
    const store = at('linked/node_modules/.store');
    copyPackage(join(store, 'agent-understudy@1/node_modules/agent-understudy'));
    cpSync(resolve('node_modules/re2js'), join(store, 're2js@2/node_modules/re2js'), { recursive: true });
    link('../../re2js@2/node_modules/re2js', join(store, 'agent-understudy@1/node_modules/re2js'));
    link('.store/agent-understudy@1/node_modules/agent-understudy', at('linked/node_modules/agent-understudy'));
    return at('linked/node_modules/agent-understudy');
  },
  'a checkout with a dependency that is linked from other sources': () => {
    copyPackage(at('mine/understudy'));
    cpSync(resolve('node_modules/re2js'), at('mine/re2js'), { recursive: true });
    link(at('mine/re2js'), at('mine/understudy/node_modules/re2js'));
    return at('mine/understudy');
  },
};

describe.skipIf(problem !== undefined)('in a sandbox, the stand-in finds what it needs from', () => {
  it.each(Object.entries(LAYOUTS))('%s', async (_name, lay) => {
    const folder = lay();
    const rehearsals = join(scratch.path, `rehearsals-${Math.random().toString(36).slice(2)}`);
    mkdirSync(rehearsals);
    writeFileSync(join(rehearsals, 'a.rehearsal.toml'), REHEARSAL);
    const run = ['run', 'a.rehearsal.toml', '--isolation', 'sandbox'];
    const ran = await runProgram([process.execPath, join(folder, 'dist/bin/understudy.js'), ...run], {
      cwd: rehearsals,
    });
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  });
});
