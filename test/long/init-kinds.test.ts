import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { EXPECTED_KITS, runScaffoldedKits } from '../helpers/scaffolded-kits.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('init-kinds');
});
afterEach(() => scratch.remove());

const understudy = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });

it('what init writes passes on the real Claude Code, and fails for the fault that it names', async (context) => {
  await realAgent('claude', context);
  expect(await runScaffoldedKits(scratch.path, 'scripted')).toEqual(EXPECTED_KITS);
}, 600_000);

it('passes for agents with settings of their own, a guard, a loop and hooks that tell something, on both stages', async (context) => {
  await realAgent('claude', context);
  const agent = (name: string, more: string) =>
    `---\nname: ${name}\ndescription: Helps\n${more}\n---\nYou are ${name}.\n`;
  const run = (command: string) => [{ hooks: [{ type: 'command', command }] }];
  const allow = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{ "name": "house", "version": "1.0.0", "description": "d" }',
    'agents/skilled.md': agent('skilled', 'skills: [ways]'),
    'agents/behind.md': agent('behind', 'background: true'),
    'agents/mindful.md': agent('mindful', 'memory: user\ntools: Read'),
    'skills/ways/SKILL.md': '---\nname: ways\ndescription: The ways\n---\nKnow the ways.\n',
    'hooks/hooks.json': JSON.stringify({
      hooks: {
        UserPromptSubmit: run('echo "<system-reminder>Be kind & <b>bold</b>.</system-reminder>"'),
        PreToolUse: run(`grep -q "rm -rf" && { echo "Never." >&2; exit 2; }; echo '${allow}'`),
        Stop: run(`grep -q '"stop_hook_active":true' && exit 0; echo "Go on, please." >&2; exit 2`),
      },
    }),
  });
  expect(await understudy('init')).toMatchObject({ code: 0 });
  for (const stage of ['sim', 'scripted']) {
    const run = await understudy('run', 'rehearsals', '--stage', stage);
    expect(run.code, run.stdout).toBe(0);
  }
}, 120_000);

it('passes for skills that work in a subagent, but on sim, and fails when one no longer does', async (context) => {
  await realAgent('claude', context);
  const skill = '---\nname: far\ndescription: Goes far\ncontext: fork\nagent: Explore\n---\nGo far away.\n';
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{ "name": "traveller", "version": "1.0.0", "description": "travels" }',
    'skills/far/SKILL.md': skill,
    'commands/near.md': '---\ndescription: Stays near\ncontext: fork\n---\nGo to $ARGUMENTS.\n',
    'skills/home/SKILL.md':
      '---\nname: home\ndescription: Goes home\ncontext: fork\ndisable-model-invocation: true\n---\nGo home.\n',
  });
  expect(await understudy('init')).toMatchObject({ code: 0 });
  const { stdout } = await understudy('run', 'rehearsals', '--stage', 'sim');
  expect(stdout).toContain('the model calls traveller:far, which works in a subagent (context: fork)');
  expect(await understudy('run', 'rehearsals', '--stage', 'scripted')).toMatchObject({ code: 0 });
  writeFileSync(join(scratch.path, 'skills/far/SKILL.md'), skill.replace('context: fork\n', ''));
  const broken = await understudy('run', 'rehearsals', '--stage', 'scripted');
  expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ told: message') });
  expect(broken.stdout).not.toContain('step 1 ');
}, 90_000);

it('passes for hooks that ask a model, on both stages, and fails when one does not ask', async (context) => {
  await realAgent('claude', context);
  const asking = (type: string, prompt: string) => [{ hooks: [{ type, prompt }] }];
  const hooks = { Stop: asking('prompt', 'Is it done?'), PreToolUse: asking('agent', 'Is it safe? $ARGUMENTS') };
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{ "name": "judge", "version": "1.0.0", "description": "judges" }',
    'hooks/hooks.json': JSON.stringify({ hooks }),
  });
  expect(await understudy('init')).toMatchObject({ code: 0, stdout: expect.stringContaining('asks the model') });
  for (const stage of ['sim', 'scripted'])
    expect(await understudy('run', 'rehearsals', '--stage', stage)).toMatchObject({ code: 0 });
  writeFileSync(join(scratch.path, 'hooks/hooks.json'), JSON.stringify({ hooks: { Stop: hooks.Stop } }));
  for (const stage of ['sim', 'scripted']) {
    const silent = await understudy('run', 'rehearsals', '--stage', stage);
    expect(silent).toMatchObject({ code: 1, stdout: expect.stringContaining('PreToolUse:Bash did not fire') });
    expect(silent.stdout).not.toContain('Stop did not fire');
  }
}, 90_000);
