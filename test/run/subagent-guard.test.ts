import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { checksOf } from '../../packages/verdict/src/results/entry-result.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('subagent-guard');
afterAll(() => scratch.remove());

const EXAMPLE = resolve('examples/subagent-guard');

it.for(['sim', 'scripted'])('knows in which agent a hook ran, on %s', async (stage, context) => {
  if (stage === 'scripted') await realAgent('claude', context);
  const cwd = join(scratch.path, stage);
  cpSync(EXAMPLE, cwd, { recursive: true });
  const text = readFileSync(join(EXAMPLE, 'guard.rehearsal.toml'), 'utf8');
  const guard = readFileSync(join(EXAMPLE, 'guard/hooks/guard.sh'), 'utf8');
  cpSync(join(cwd, 'guard'), join(cwd, 'half/guard'), { recursive: true });
  writeFiles(cwd, {
    // It lets subagents do what they like.
    'half/guard/hooks/guard.sh': guard.replace(
      'if grep',
      'input=$(cat)\ncase $input in *agent_id*) exit 0 ;; esac\nif echo "$input" | grep',
    ),
    'half/guard.rehearsal.toml': text.replace('git push --force', 'echo git push --force'),
    'other.rehearsal.toml': text
      .replace('agent = "helper"', 'agent = "main"')
      .replace('agent = "main", fired', 'agent = "helpr", fired'),
  });
  const { stdout } = await runUnderstudy(['run', '.', '--stage', stage, '--json'], { cwd });
  const { entries } = JSON.parse(stdout) as RunResult;
  const seen = entries.map((entry) =>
    checksOf(entry)
      .filter(({ status }) => status !== 'passed')
      .map(({ status, name, actual }) => `${status} ${name}: ${actual}`),
  );
  expect(seen).toEqual([
    [],
    ['failed hook: PreToolUse:Bash success (exit 0)'],
    ['failed hook: PreToolUse:Bash did not fire in the main agent', 'unjudged hook: there is no subagent "helpr"'],
  ]);
});
