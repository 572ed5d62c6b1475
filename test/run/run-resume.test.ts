import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { untilHolds } from '../helpers/until-holds.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('resume');
});
afterEach(() => scratch.remove());

it('goes on where a killed run stopped: every entry counts once, and only the interrupted one is played again', async () => {
  const [cwd, temp, log, go] = ['work', 't', 'log', 'go'].map((name) => join(scratch.path, name)) as [
    ...[string, string, string, string],
  ];
  mkdirSync(temp);
  const rehearsal = (name: string) => `name = "${name}"
[[responses]]
pattern = { type = "any" }
response = { text = "Done.", tool_calls = [{ tool = "Bash", input = { command = "echo ${name} >> ${log}; ${name === 'c' ? `while [ ! -e ${go} ]; do sleep 0.05; done` : 'true'}" } }] }
[[steps]]
send = "go"
expect.says = "${name === 'b' ? 'something else' : 'Done'}"
`;
  writeFiles(cwd, Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.rehearsal.toml`, rehearsal(name)])));
  const env = { TMPDIR: temp };
  const args = ['run', '--stage', 'sim', '--workers', '1'];
  const played = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const runs = () => readdirSync(join(cwd, '.understudy/runs'));

  const nothing = await runUnderstudy([...args, '--resume'], { cwd, env });
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('NOTHING_TO_RESUME')]);

  const killed = startUnderstudy(args, { cwd, env });
  await untilHolds(() => played().includes('c'), 'c is being played');
  killed.signal('SIGKILL');
  await killed.exited;
  expect(runs()).toHaveLength(1);
  const journal = join(cwd, '.understudy/runs', runs()[0] ?? '', 'journal.jsonl');
  // As if the kill had come in the middle of a write.
  appendFileSync(journal, '{"place":2,"elapsed_ms":5,"res');

  const file = join(cwd, 'a.rehearsal.toml');
  writeFileSync(file, `${rehearsal('a')}# changed\n`);
  const changed = await runUnderstudy([...args, '--strict', '--resume'], { cwd, env });
  expect(changed.code).toBe(2);
  expect(changed.stderr).toMatch(
    /RESUME_PLAN_CHANGED: .*--strict was not given and is true; the files of a\.rehearsal\.toml claude sim on sim have changed/,
  );
  writeFileSync(file, rehearsal('a'));

  writeFileSync(go, '');
  const resumed = await runUnderstudy([...args, '--resume', '--json'], { cwd, env });
  expect(resumed.stderr).toContain('resume: 2 of 4 had ended');
  expect(played()).toEqual(['a', 'b', 'c', 'c', 'd']);
  const result = JSON.parse(resumed.stdout) as RunResult;
  expect(result.entries.map(({ name, status }) => [name, status])).toEqual([
    ...[
      ['a', 'passed'],
      ['b', 'failed'],
      ['c', 'passed'],
      ['d', 'passed'],
    ],
  ]);
  expect([resumed.code, existsSync(journal), runs()]).toEqual([1, false, expect.any(Array)]);
  expect(runs()).toHaveLength(1);
  for (const { logs } of result.entries)
    expect(existsSync(join(journal, '..', logs ?? '?', 'events.jsonl'))).toBe(true);

  // What nobody resumes is removed by hand.
  rmSync(go);
  const again = startUnderstudy(args, { cwd, env });
  await untilHolds(() => played().length === 8, 'c is being played again');
  again.signal('SIGKILL');
  await again.exited;
  const cleaned = await runUnderstudy(['doctor', '--clean'], { cwd, env });
  expect(cleaned.stdout).toMatch(/removed {2}\.understudy\/runs\/\S+/);
  await untilHolds(() => readdirSync(temp).length === 0, 'nothing is left in the temp folder');
  expect(runs()).toHaveLength(1);
});
