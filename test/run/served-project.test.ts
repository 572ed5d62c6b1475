import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import type { Language } from '../../packages/stage/src/workspace/project-spec.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { escapesOf } from '../helpers/hostile-agent.js';
import { onPath } from '../helpers/optional-program.js';
import { runUnderstudy } from '../helpers/understudy.js';

const problem = await sandboxProblem();
const noPython = onPath('python3') === undefined;

let scratch: Scratch;
const at = (...names: string[]) => join(scratch.path, ...names);
beforeEach(() => {
  scratch = createScratch('served-project');
  mkdirSync(at('tests'));
});
afterEach(() => scratch.remove());

/** A rehearsal in which the agent runs a command that knows the address of the server as $url. */
function servedRehearsal(language: Language, command: string): string {
  return `name = "served"
agent = ["claude"]
stage = "sim"
project = { type = "web-app", language = "${language}", serve = true }
[[responses]]
pattern = { type = "regex", pattern = 'go (\\S+)' }
response = { text = "Done.", tool_calls = [
  { tool = "Bash", input = { command = ${JSON.stringify(`url={{1}}; ${command}`)}, description = "x" } },
], then = "It said {{results}}." }
[[steps]]
send = "go {{url}}"
`;
}

async function play(language: Language, command: string, isolation = 'sandbox') {
  writeFileSync(at('tests/a.rehearsal.toml'), servedRehearsal(language, command));
  const flags = ['--json', '--isolation', isolation];
  const { stdout, stderr } = await runUnderstudy(['run', '.', ...flags], { cwd: at('tests') });
  try {
    const [entry] = (JSON.parse(stdout) as RunResult).entries;
    return { entry, said: entry?.steps[0]?.said ?? '', all: stdout };
  } catch {
    throw new Error(`no result: ${stdout}\n${stderr}`);
  }
}

/** Without this, a test in which the server is not reached would be green, too. */
const ADD_TASK = `curl -sS -d '{"title":"write"}' $url/api/tasks`;

describe.skipIf(problem !== undefined)('the server of a project, in a sandbox', () => {
  it('gives no file away that the agent may not see', async () => {
    mkdirSync(at('private'));
    writeFileSync(at('private/key.txt'), 'PRIVATE-OF-THE-HOST', { mode: 0o600 });
    const link = `${ADD_TASK}; rm static/app.js; ln -s ${at('private/key.txt')} static/app.js; curl -sS $url/app.js`;
    const { said, all } = await play('javascript', link);
    expect(said, all).toContain('"title":"write"');
    expect(all).not.toContain('PRIVATE-OF-THE-HOST');
  });

  it.skipIf(noPython)('runs no code of the agent outside, and tells what that code tried', async () => {
    const planted = [
      'import os, pwd',
      'try: open(os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".ssh/id_rsa")).read()',
      `finally: open("${at('planted')}", "w")`,
    ].join('\n');
    const attack = `printf '%s\\n' '${planted}' > traceback.py; curl -sS -H 'Content-Length: x' -d 1 $url/api/tasks`;
    const { entry, said, all } = await play('python', `${ADD_TASK}; ${attack}`);
    expect(said, all).toContain('"title": "write"');
    expect(existsSync(at('planted'))).toBe(false);
    expect(escapesOf(entry)).toMatchObject({ status: 'failed', category: 'isolation' });
    expect(escapesOf(entry)?.evidence.join()).toMatch(/\.ssh\/id_rsa was read \(by the development server\)/);
  });

  it('is green where nothing is tried, and as it was without isolation', async () => {
    const sound = `${ADD_TASK}; sed -i s/padding/margin/ static/styles.css; curl -sS $url/styles.css`;
    const languages: readonly Language[] = noPython ? ['javascript'] : ['javascript', 'python'];
    for (const language of languages) {
      for (const isolation of ['sandbox', 'none']) {
        const { entry, said, all } = await play(language, sound, isolation);
        expect(said, all).toMatch(/"title": ?"write"[\s\S]*margin/);
        expect(entry).toMatchObject({ status: 'passed' });
      }
    }
  });
});
