import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { EXPECTED_KITS, runScaffoldedKits } from '../helpers/scaffolded-kits.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('init');
});
afterEach(() => scratch.remove());

const understudy = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });

function writePlugin(): void {
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{ "name": "greeter", "version": "1.0.0", "description": "greets" }',
    'commands/hi.md': '---\ndescription: Says hi\n---\nSay hi to $ARGUMENTS.\n\nStay short.\n',
    'commands/bye.md': '---\ndescription: Says bye\n---\nSay goodbye.\n',
    'hooks/hooks.json': JSON.stringify({
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    }),
  });
}

it('leads from a fresh plugin to a rehearsal that passes on the real Claude Code, and fails when the plugin breaks', async (context) => {
  await realAgent('claude', context);
  writePlugin();
  const init = await understudy('init');
  expect(init).toMatchObject({ code: 0, stderr: '' });
  expect(init.stdout).toBe(
    [
      'isolation: none',
      '✓ greeter 2 steps',
      '  · /greeter:bye expands',
      '  · /greeter:hi expands with its arguments',
      '  wrote rehearsals/greeter.rehearsal.toml',
      '  wrote .gitignore',
      '',
      'Next: understudy run rehearsals/greeter.rehearsal.toml',
      '',
    ].join('\n'),
  );
  expect(readFileSync(join(scratch.path, '.gitignore'), 'utf8')).toBe('.understudy/\n');

  const passing = await understudy('run', 'rehearsals/greeter.rehearsal.toml');
  expect(passing).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ greeter does what it declares') });

  renameSync(join(scratch.path, 'commands/hi.md'), join(scratch.path, 'commands/hello.md'));
  const renamed = await understudy('run', 'rehearsals/greeter.rehearsal.toml');
  expect(renamed.code).toBe(1);
  expect(renamed.stdout).toContain('answers the prompt "/greeter:hi the example"');
  expect(renamed.stdout).toContain('step 2 command expanded');
  expect(renamed.stdout).not.toContain('step 1 ');
}, 90_000);

it('gives the same verdicts on the stand-in, and sees a hook that is unwired', async () => {
  writePlugin();
  expect(await understudy('init')).toMatchObject({ code: 0 });
  expect(await understudy('run', 'rehearsals', '--stage', 'sim')).toMatchObject({ code: 0 });
  writeFileSync(join(scratch.path, 'hooks/hooks.json'), '{ "hooks": {} }');
  const unwired = await understudy('run', 'rehearsals', '--stage', 'sim');
  expect(unwired).toMatchObject({ code: 1, stdout: expect.stringContaining('UserPromptSubmit did not fire') });
});

it('passes for a plugin whose command starts a loop that its Stop hook keeps going, and fails when the command may not', async () => {
  const command = '---\nallowed-tools: ["Bash(${CLAUDE_PLUGIN_ROOT}/start.sh:*)"]\n---\nLoop on.\n';
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{ "name": "looper", "version": "1.0.0", "description": "loops" }',
    'commands/loop.md': `${command}!\`"\${CLAUDE_PLUGIN_ROOT}/start.sh" $ARGUMENTS\`\n`,
    'start.sh': '#!/bin/sh\necho "$@" > loop.md\necho "Loop is on."\n',
    'hooks/hooks.json': JSON.stringify({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: '[ ! -f loop.md ] || { cat loop.md >&2; exit 2; }' }] }] },
    }),
  });
  chmodSync(join(scratch.path, 'start.sh'), 0o755);
  expect(await understudy('init')).toMatchObject({ code: 0 });
  expect(await understudy('run', 'rehearsals', '--stage', 'sim')).toMatchObject({ code: 0 });
  const file = join(scratch.path, 'commands/loop.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('start.sh:*', 'begin.sh:*'));
  const refused = await understudy('run', 'rehearsals', '--stage', 'sim');
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('This command requires approval') });
});

it('writes a step for each kind of component that passes, and fails for the fault that it names', async () => {
  expect(await runScaffoldedKits(scratch.path, 'sim')).toEqual(EXPECTED_KITS);
}, 60_000);

it('tells what it did as JSON', async () => {
  writePlugin();
  const { code, stdout } = await understudy('init', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    isolation: { level: 'none' },
    plugin: 'greeter',
    file: 'rehearsals/greeter.rehearsal.toml',
    steps: ['/greeter:bye expands', '/greeter:hi expands with its arguments'],
    commands: ['greeter:bye', 'greeter:hi'],
    skipped: [],
    written: ['rehearsals/greeter.rehearsal.toml', '.gitignore'],
    next: 'understudy run rehearsals/greeter.rehearsal.toml',
  });
});

it('refuses to overwrite without --force', async () => {
  writePlugin();
  await understudy('init');
  const file = join(scratch.path, 'rehearsals/greeter.rehearsal.toml');
  writeFileSync(file, '# mine\n');
  expect(await understudy('init')).toMatchObject({ code: 2, stderr: expect.stringContaining('SCAFFOLD_EXISTS') });
  expect(readFileSync(file, 'utf8')).toBe('# mine\n');
  expect(await understudy('init', '--force')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toContain('[[steps]]');
});

it('says what to do in a folder that is no plugin', async () => {
  const plain = await understudy('init');
  expect(plain).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/SCAFFOLD_NO_PLUGIN[\s\S]*fix: Go to/),
  });
  const json = await understudy('init', '--json');
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'SCAFFOLD_NO_PLUGIN' } });
});
