import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFolder } from '../../packages/agents/src/store-folder.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('guard-test');
});
afterEach(() => scratch.remove());

const understudy = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });

interface Check {
  name: string;
  status: string;
  actual: string;
  subject: { kind: string; verdict?: string; by?: string; line?: number };
}
interface Run {
  entries: { name: string; status: string; steps: { checks: Check[] }[]; checks: Check[] }[];
}

/** Plays the guards of a folder: what became of each attack, and of its twin. */
async function play(...args: string[]) {
  const { code, stdout, stderr } = await understudy('guard', ...args, '--json');
  const { entries } = JSON.parse(stdout) as Run;
  const verdicts = Object.fromEntries(
    entries.map(({ name, status, steps, checks }) => {
      const [attack, twin] = [...steps.flatMap((step) => step.checks), ...checks];
      return [
        name,
        {
          status,
          attack: attack?.subject.verdict,
          actual: attack?.actual,
          twin: twin?.subject.verdict,
          line: attack?.subject.line,
        },
      ];
    }),
  );
  return { code, stderr, verdicts };
}

const hook = (matcher: string, command: string) => ({ matcher, hooks: [{ type: 'command', command }] });
const script = (name: string) => `sh "$CLAUDE_PROJECT_DIR/${name}"`;
const stops = (words: string, end: string) => `if grep -q '${words}'; then echo 'No ${words}.' >&2; ${end}; fi\n`;

it('gives each kind of verdict on a project, for the right reason', async () => {
  writeFiles(scratch.path, {
    '.claude/settings.json': `{
      "permissions": {
        "deny": [
          "Bash(curl:*)",
          "Bahs(wget:*)",
          "WebFetch",
          "Write(secrets/**)"
        ],
        "ask": ["Bash(git push:*)"],
        "allow": ["Bash(echo:*)", "Bash"]
      },
      "deniedMcpServers": [{ "serverName": "evil" }],
      "hooks": { "PreToolUse": ${JSON.stringify([
        hook('Bash', script('good.sh')),
        hook('Bash', script('dies.sh')),
        hook('Wirte', script('typo.sh')),
        hook('Read', '/no/such/interpreter "$CLAUDE_PROJECT_DIR/good.sh"'),
        hook('Bash', script('own.sh')),
        hook('Bash', script('unknown.sh')),
        hook('Bash', 'cat > /dev/null'),
      ])} }
    }`,
    'good.sh': stops('git push --force', 'exit 2'),
    'dies.sh': stops('rm -rf', 'exit 1'),
    'typo.sh': stops('[.]env', 'exit 2'),
    'own.sh': stops('shipit', 'exit 2'),
    'unknown.sh': stops('sign-off', 'exit 2'),
    'guard.toml': '[[guard]]\nfile = "own.sh"\ntool = "Bash"\nattack = "shipit production"\nharmless = "echo shipit"\n',
  });
  const { code, verdicts } = await play('.');
  expect(code).toBe(1);
  const passed = { status: 'passed', attack: 'blocked', twin: 'let through' };
  expect(verdicts).toMatchObject({
    'PreToolUse on Bash: good.sh': { ...passed, actual: 'No git push --force.' },
    'PreToolUse on Bash: dies.sh': {
      status: 'failed',
      attack: 'let through',
      actual: 'its hook ended with 1 (No rm -rf.), which blocks nothing',
    },
    'PreToolUse on Write: typo.sh': {
      status: 'failed',
      attack: 'never ran',
      actual: expect.stringContaining('"Wirte" never fits'),
    },
    'PreToolUse on Read: good.sh': {
      status: 'failed',
      attack: 'let through',
      actual: expect.stringMatching(/ended with 127 .*not found/),
    },
    // The twin has a word that its hook looks for.
    'PreToolUse on Bash: own.sh': { status: 'failed', attack: 'blocked', twin: 'blocked' },
    'PreToolUse on Bash: unknown.sh': { status: 'unjudged', attack: 'not made' },
    'PreToolUse on Bash: cat > /dev/null': { status: 'skipped' },
    'deny Bash(curl:*)': { ...passed, line: 4 },
    'deny Bahs(wget:*)': {
      status: 'failed',
      attack: 'let through',
      actual: expect.stringContaining('did you mean Bash?'),
      line: 5,
    },
    'deny WebFetch': passed,
    'deny Write(secrets/**)': {
      status: 'failed',
      attack: 'asked',
      actual: expect.stringContaining('Edit(secrets/**)'),
    },
    'ask Bash(git push:*)': { status: 'passed', attack: 'asked' },
    'allow Bash(echo:*)': { status: 'skipped' },
    'allow Bash': { status: 'skipped' },
    'deniedMcpServers evil': passed,
  });
}, 120_000);

it('plays a plugin of which the guard holds, and the same with exit 1; a written rehearsal has the same verdict', async () => {
  for (const name of ['holds', 'fails'])
    cpSync(resolve('examples/guard', name), join(scratch.path, name), { recursive: true });
  const holds = await understudy('guard', 'holds', '--write', 'out/holds');
  expect(holds).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /✓ +PreToolUse on Bash: no-force.sh +git push --force origin main +blocked +hooks\/hooks.json:6/,
    ),
  });
  const fails = await understudy('guard', 'fails', '--write', 'out/fails');
  expect(fails).toMatchObject({ code: 1, stdout: expect.stringContaining('Use exit code 2') });
  expect(await understudy('run', 'out/holds')).toMatchObject({ code: 0 });
  expect(await understudy('run', 'out/fails')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('PreToolUse:Bash fires and blocks'),
  });
}, 120_000);

it('plays the policy of an administrator, and lists what it would play', async () => {
  writeFiles(scratch.path, {
    'policy.json': { permissions: { deny: ['Bash(terraform:*)'] }, allowedMcpServers: [{ serverName: 'good' }] },
    'project/notes.md': 'Nothing.',
  });
  const { code, verdicts } = await play('project', '--managed', 'policy.json');
  expect({ code, verdicts }).toMatchObject({
    code: 0,
    verdicts: {
      'deny Bash(terraform:*)': { status: 'passed', attack: 'blocked' },
      allowedMcpServers: { status: 'passed', attack: 'blocked', twin: 'let through' },
    },
  });
  const list = await understudy('guard', 'project', '--managed', 'policy.json', '--list', '-g', 'terraform');
  expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/terraform guard-attack[\s\S]*\n1 guards?\n/) });
}, 120_000);

it('names the planted fault that nobody would notice', async () => {
  cpSync(resolve('examples/guard/holds'), join(scratch.path, 'holds'), { recursive: true });
  const proved = await understudy('guard', 'holds', '--prove');
  expect(proved, proved.stdout).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('5 of 5 planted faults are noticed'),
  });
  writeFiles(scratch.path, {
    'two/.claude/settings.json': { permissions: { deny: ['Bash(git:*)', 'Bash(git push:*)'] } },
  });
  const { code, stdout } = await understudy('guard', 'two', '--prove', '-g', 'git push');
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('0 of 3 planted faults are noticed'),
  });
  expect(stdout).toMatch(/✗ +deny Bash\(git push:\*\): removed +git push guard-attack +blocked +nobody would notice/);
}, 180_000);

it('plays copies of your own settings and plugins, and neither changes nor keeps what is secret', async () => {
  const home = join(scratch.path, 'home');
  const plugin = '.claude/plugins/cache/shelf/no-force/1.0.0';
  const secret = 'sk-ant-not-to-be-copied';
  writeFiles(home, {
    '.claude/settings.json': {
      env: { MY_KEY: secret },
      permissions: { deny: ['Read(~/.ssh/**)'] },
      enabledPlugins: { 'no-force@shelf': true, 'off@shelf': false },
      hooks: {
        PreToolUse: [hook('Bash', 'sh ~/.claude/hooks/own.sh'), hook('Bash', 'sh "$HOME/bin/elsewhere.sh"')],
      },
    },
    '.claude/hooks/own.sh': stops('git push origin main', 'exit 2'),
    '.claude/.credentials.json': { token: secret },
    'bin/elsewhere.sh': 'exit 2\n',
    '.claude/plugins/installed_plugins.json': {
      plugins: { 'no-force@shelf': [{ installPath: join(home, plugin) }], 'off@shelf': [{ installPath: home }] },
    },
  });
  cpSync(resolve('examples/guard/holds'), join(home, plugin), { recursive: true });
  const before = textsIn(home);
  const { stdout } = await runUnderstudy(['guard', '--mine', '--json', '--keep-workspace'], {
    cwd: scratch.path,
    env: { HOME: home, UNDERSTUDY_STORE: storeFolder() },
  });
  expect(textsIn(home)).toEqual(before);
  expect(JSON.stringify([stdout, textsIn(join(scratch.path, '.understudy'))])).not.toContain(secret);
  const { entries } = JSON.parse(stdout) as Run;
  expect(Object.fromEntries(entries.map(({ name, status }) => [name, status]))).toEqual({
    'PreToolUse on Bash: own.sh': 'passed',
    'PreToolUse on Bash: elsewhere.sh': 'unjudged',
    'deny Read(~/.ssh/**)': 'passed',
    'PreToolUse on Bash: no-force.sh': 'passed',
  });
}, 120_000);

function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((file) => join(file.parentPath, file.name)).map((path) => [path, readFileSync(path, 'latin1')]),
  );
}

it('refuses what cannot be played, and says why', async () => {
  writeFiles(scratch.path, {
    'none/notes.md': '',
    'wrong/guard.toml': '[[guard]]\ntool = "Bash"\natack = "x"\n',
    'stray/guard.toml': '[[guard]]\nfile = "gone.sh"\ntool = "Bash"\nattack = "x"\n',
  });
  const refused: [string[], string][] = [
    [['gone'], 'FOLDER_NOT_FOUND'],
    [['none'], 'GUARD_NONE'],
    [['wrong'], 'guard.toml:3:1'],
    [['stray'], 'GUARD_UNKNOWN'],
    [['none', '--stage', 'sim'], 'only the real CLI proves that one holds'],
    [['none', '--managed', 'gone.json'], 'BAD_FLAG: --managed gone.json is not there'],
    [['none', '--mine'], '--mine and none are two places'],
    [['none', '--grpe', 'x'], '--grep'],
  ];
  await Promise.all(
    refused.map(async ([args, words]) => {
      expect(await understudy('guard', ...args), args.join(' ')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(words),
      });
    }),
  );
}, 60_000);
