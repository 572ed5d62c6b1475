import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** A fault in examples/orchestrators/loop.sh: what is written there, what is written instead, who finds it, and what he says. */
interface ContractFault {
  name: string;
  change: readonly [written: string, instead: string];
  caughtBy: string;
  says: RegExp;
}

const ANSWER = `[ "$(tail -n 1 "$answer")" = "$promise" ]`;

const faults: readonly ContractFault[] = [
  {
    name: 'a promise without a newline is not read',
    change: [ANSWER, `(while IFS= read -r line; do last=$line; done <"$answer"; [ "\${last-}" = "$promise" ])`],
    caughtBy: 'no-newline',
    says: /gave the promise in call 1, and the orchestrator called it again/,
  },
  {
    name: 'the promise is looked for in the prompt, too',
    change: [ANSWER, `{ echo "$prompt"; cat "$answer"; } | grep -qx "$promise"`],
    caughtBy: 'promise-in-prompt',
    says: /said complete, and no agent had given the promise/,
  },
  {
    name: 'one iteration too many is made',
    change: ['i <= max', 'i <= max + 1'],
    caughtBy: 'iteration-limit',
    says: /expected 3 calls; seen 4 calls/,
  },
  {
    name: 'a failing agent ends the loop',
    change: [`echo "iteration $i: $agent failed with exit code $code"`, 'end 1'],
    caughtBy: 'agent-fails-once',
    says: /call 1 failed with exit code 1, and the orchestrator did not call it again/,
  },
  {
    name: 'an agent that was killed counts as done',
    change: ['if ((code != 0)); then', 'if ((code > 128)); then end 0; elif ((code != 0)); then'],
    caughtBy: 'agent-killed',
    says: /call 1 was killed, and the orchestrator did not call it again/,
  },
  {
    name: 'the exit code is always 0',
    change: ['exit "$1"; }', 'exit 0; }'],
    caughtBy: 'iteration-limit',
    says: /the orchestrator says: none of the endings of the contract \(exit code 0\) instead of stopped/,
  },
  {
    name: 'the path of the prompt is not quoted',
    change: ['prompt=$(cat "$4")', 'prompt=$(cat $PWD/$4)'],
    caughtBy: 'spaces',
    says: /./,
  },
  {
    name: 'the agent outlives Ctrl-C',
    change: ['exec claude -p', 'setsid claude -p'],
    caughtBy: 'interrupted',
    says: /left processes behind/,
  },
  {
    name: 'it hangs after the promise',
    change: ['    end 0\n', '    sleep 300\n    end 0\n'],
    caughtBy: 'connects',
    says: /did not end after call 1, in which the agent gave the promise and ended with exit code 0/,
  },
  {
    name: 'a helper is left behind',
    change: ['    end 0\n', '    sleep 300 &\n    disown\n    kill $watch 2>/dev/null; rm -f "$answer"; exit 0\n'],
    caughtBy: 'one-iteration',
    says: /left processes behind: sleep 300/,
  },
];

const root = mkdtempSync(join(tmpdir(), 'understudy-contract-faults-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each(faults)('finds that $name, by $caughtBy', { timeout: 60_000 }, async ({ name, change, caughtBy, says }) => {
  const cwd = join(root, name.replaceAll(/\W+/g, '-'));
  mkdirSync(cwd);
  const contract = readFileSync(resolve('examples/orchestrators/bash.orchestrator.toml'), 'utf8');
  writeFileSync(join(cwd, 'bash.orchestrator.toml'), `timeout_ms = 5000\n${contract}`);
  const [written, instead] = change;
  const sound = readFileSync(resolve('examples/orchestrators/loop.sh'), 'utf8');
  expect(sound.split(written), `loop.sh has "${written}" once`).toHaveLength(2);
  writeFileSync(
    join(cwd, 'loop.sh'),
    sound.replace(written, () => instead),
  );
  chmodSync(join(cwd, 'loop.sh'), 0o755);
  const args = [
    'e2e',
    '--stage',
    'sim',
    'claude',
    '--contract',
    'bash.orchestrator.toml',
    '--skip-baselines',
    '--json',
  ];
  const { stdout, stderr } = await runUnderstudy([...args, '--grep', `${caughtBy}@claude`], { cwd });
  if (stdout === '') throw new Error(stderr);
  const { entries }: RunResult = runResultSchema.parse(JSON.parse(stdout));
  const [entry] = entries;
  expect(entries.map(({ id, status }) => [id, status])).toEqual([[`${caughtBy}@claude`, 'failed']]);
  expect(entry?.diagnosis?.root_cause_hypothesis).toMatch(says);
});
