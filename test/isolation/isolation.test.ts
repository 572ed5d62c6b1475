import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { attacks, escapesOf, hostileRehearsal, programRehearsal } from '../helpers/hostile-agent.js';
import { realAgent } from '../helpers/real-agents.js';
import { sample, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

const problem = await sandboxProblem();
const STAND_INS = ['claude', 'opencode', 'codex', 'gemini', 'kiro'];
/** The CLIs that start fast; all of them in a long run. */
const [REAL = 'codex'] = sample(['claude', 'codex'], 1, seedOr(16));

let scratch: Scratch;
const host = createServer();

beforeAll(async () => {
  scratch = createScratch('isolation-test');
  mkdirSync(join(scratch.path, 'other'));
  writeFileSync(join(scratch.path, 'other', 'secret'), 'a secret of another test');
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', () => resolve()));
});

afterAll(async () => {
  host.close();
  await scratch.remove();
});

function commands(): string[] {
  const { port } = host.address() as AddressInfo;
  // The rehearsal's own folder can be read; another one of the same kind cannot.
  return Object.values(attacks).map(({ command }) =>
    command.replace('{{other}}', join(scratch.path, 'other')).replace('{{port}}', String(port)),
  );
}

async function run(files: Record<string, string>, ...args: string[]): Promise<RunResult> {
  const folder = join(scratch.path, `run-${Math.random().toString(36).slice(2)}`);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { stdout, stderr } = await runUnderstudy(['run', '.', '--json', ...args], { cwd: folder });
  try {
    return JSON.parse(stdout) as RunResult;
  } catch {
    throw new Error(`no result: ${stdout}\n${stderr}`);
  }
}

function expectAllSeen(entry: RunResult['entries'][number] | undefined): void {
  const check = escapesOf(entry);
  expect(check, entry?.id).toMatchObject({ status: 'failed', category: 'isolation' });
  for (const [name, { seen, byKernel }] of Object.entries(attacks)) {
    // Kiro does not tell of its tools.
    if (entry?.agent === 'kiro' && byKernel !== true) continue;
    expect(check?.evidence.join('\n'), `${entry?.id} ${name}`).toMatch(seen);
  }
  expect(existsSync(join(homedir(), 'understudy-escaped'))).toBe(false);
  expect(existsSync('/usr/understudy-escaped')).toBe(false);
}

describe.skipIf(problem !== undefined)('in a sandbox', () => {
  it('every stand-in stays inside, and each attempt is reported; the sound twin is green', async () => {
    const wipe = ['rm -rf ~ "$HOME"/..; echo wiped'];
    const { entries } = await run(
      {
        'hostile.rehearsal.toml': hostileRehearsal(commands(), { agent: STAND_INS, stage: 'sim' }),
        'sound.rehearsal.toml': hostileRehearsal(['ls; echo x > made; cat made'], { agent: ['claude'], stage: 'sim' }),
        'allowed.rehearsal.toml': hostileRehearsal(commands(), {
          ...{ agent: ['claude'], stage: 'sim', more: 'escapes = "any"' },
        }),
        'wipe.rehearsal.toml': hostileRehearsal(wipe, { agent: ['codex'], stage: 'sim' }),
      },
      ...['--isolation', 'sandbox'],
    );
    const of = (file: string) => entries.filter((entry) => entry.file?.includes(file));
    expect(of('hostile')).toHaveLength(STAND_INS.length);
    for (const entry of of('hostile')) expectAllSeen(entry);
    expect(of('sound')[0]).toMatchObject({ status: 'passed' });
    expect(escapesOf(of('sound')[0])).toMatchObject({ status: 'passed' });
    expect(of('allowed')[0]).toMatchObject({ status: 'passed' });
    expect(existsSync(homedir())).toBe(true);
  });

  it(`the real ${REAL} stays inside, too`, async (context) => {
    await realAgent(REAL, context);
    const hostile = hostileRehearsal(commands(), { agent: [REAL], stage: 'scripted' });
    const { entries } = await run({ 'hostile.rehearsal.toml': hostile }, '--isolation', 'sandbox');
    expectAllSeen(entries[0]);
  });

  it('a program and its agents are inside, and what it leaves running is told', async () => {
    const program = (last: string) => programRehearsal(`cat ${join(scratch.path, 'other')}/secret; ${last}; echo over`);
    const outward = attacks['connects outward']?.command ?? '';
    const { entries } = await run(
      { 'a.rehearsal.toml': program('(setsid sleep 331 &)'), 'b.rehearsal.toml': program(outward) },
      '--isolation',
      'sandbox',
    );
    const [left, out] = entries;
    expect(left?.steps[0]?.said).toMatch(/Hello from inside\.[\s\S]*over[\s\S]*No such file/);
    expect(JSON.stringify(left?.steps[0]?.checks)).toContain('sleep 331');
    expect(JSON.stringify(out?.steps[0]?.checks)).not.toContain('sleep 331');
    expect(escapesOf(left)).toMatchObject({ status: 'passed' });
    expect(escapesOf(out)).toMatchObject({ status: 'failed', actual: expect.stringContaining('no way out') });
  });

  it('an orchestrator whose agent is hostile stays inside, and it is seen; the sound twin is green', async () => {
    const play = async (hook: string) => {
      const settings = { hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook }] }] } };
      const folder = join(scratch.path, `loop-${Math.random().toString(36).slice(2)}`);
      mkdirSync(folder);
      writeFileSync(
        join(folder, 'loop.sh'),
        '#!/bin/sh\nclaude -p --dangerously-skip-permissions "$(cat "$1")" && exit 0\nexit 1\n',
        { mode: 0o755 },
      );
      writeFileSync(
        join(folder, 'my.toml'),
        `agents = ["claude"]\nrun = ["./loop.sh", "{{prompt_file}}"]\nfiles = { ".claude/settings.json" = ${JSON.stringify(JSON.stringify(settings))} }\n`,
      );
      const flags = ['--skip-baselines', '--grep', 'one-iteration', '--isolation', 'sandbox', '--json'];
      const ran = await runUnderstudy(['e2e', '--stage', 'sim', 'claude', '--contract', 'my.toml', ...flags], {
        cwd: folder,
      });
      const [entry] = (JSON.parse(ran.stdout) as RunResult).entries;
      return entry;
    };
    const tried = ['reads a key in the real home', 'writes into the real home', 'connects outward'];
    const [hostile, sound] = await Promise.all([
      play(tried.map((name) => attacks[name]?.command).join('; ')),
      play('cat PROMPT.md > /dev/null; echo x > /tmp/x'),
    ]);
    expect(sound).toMatchObject({ status: 'passed' });
    const check = escapesOf(hostile);
    expect(check).toMatchObject({ status: 'failed', category: 'isolation' });
    for (const name of tried) expect(check?.evidence.join('\n')).toMatch(attacks[name]?.seen ?? /^$/);
    expect(existsSync(join(homedir(), 'understudy-escaped'))).toBe(false);
  });

  it('a home that has a rehearsal in it is not shown: only what the rehearsal names', async () => {
    const home = join(scratch.path, 'home of somebody');
    mkdirSync(join(home, 'tools'), { recursive: true });
    writeFileSync(join(home, 'private'), 'nobody sees this');
    const program = (text: string) => `#!/bin/sh\n${text}; cat '${home}/private' 2>&1 || true\n`;
    writeFileSync(join(home, 'beside.sh'), program('echo from beside'), { mode: 0o755 });
    writeFileSync(join(home, 'tools/tool.sh'), program('echo from a tool'), { mode: 0o755 });
    writeFileSync(join(home, 'tools/named-by-path'), program('echo from the path'), { mode: 0o755 });
    const cat = JSON.stringify(`cat '${home}/private'; ls -A '${home}'; true`);
    const rehearsal = (more: string) => `name = "in a home"\nstage = "sim"\nescapes = "any"
[env]\nPATH = ["tools"]
[[responses]]
pattern = { type = "contains", text = "go" }
response = { tool_calls = [{ tool = "Bash", input = { command = ${cat}, description = "x" } }] }
[[steps]]\nsend = "go"
[[steps]]\nrun = ["./beside.sh"]
[[steps]]\nrun = '"{{here}}"/tools/tool.sh; named-by-path'
${more}`;
    const argument = `[[steps]]\nrun = ["cat", ${JSON.stringify(join(home, 'private'))}]\nexpect = { exit_code = 1 }\n`;
    writeFileSync(join(home, 'a.rehearsal.toml'), rehearsal(argument));
    writeFileSync(join(home, 'b.rehearsal.toml'), rehearsal('[[steps]]\nrun = ["ls", "{{here}}"]\n'));
    writeFileSync(join(home, 'empty.toml'), 'responses = []\n');
    const flags = ['--json', '--isolation', 'sandbox'];
    const [named, whole, project] = await Promise.all([
      runUnderstudy(['run', 'a.rehearsal.toml', ...flags], { cwd: home, env: { HOME: home } }),
      runUnderstudy(['run', 'b.rehearsal.toml', ...flags], { cwd: home, env: { HOME: home } }),
      runUnderstudy(
        ['exec', '--stage', 'sim', ...'--scenario empty.toml --agent claude --isolation sandbox -- true'.split(' ')],
        {
          ...{ cwd: home, env: { HOME: home } },
        },
      ),
    ]);
    const [entry] = (JSON.parse(named.stdout) as RunResult).entries;
    expect(entry?.steps.map(({ said }) => said).join('\n')).toMatch(
      /from beside[\s\S]*from a tool[\s\S]*from the path/,
    );
    expect(named.stdout + whole.stdout).not.toContain('nobody sees this');
    expect(whole.stdout).toContain('ISOLATION_HOME_IS_SHOWN');
    expect(project).toMatchObject({ code: 125, stderr: expect.stringContaining('ISOLATION_HOME_IS_PROJECT') });
  });

  it('exec works in a worktree with linked dependencies, both elsewhere in the home', async () => {
    const home = join(scratch.path, 'a home');
    const [repository, tree] = [join(home, 'repository'), join(home, 'my tree')];
    mkdirSync(join(home, 'far/node_modules/thing'), { recursive: true });
    writeFileSync(join(home, 'far/node_modules/thing/index.js'), 'module.exports = 42;');
    writeFileSync(join(home, 'private'), 'nobody sees this');
    mkdirSync(repository);
    const git = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', ['init', '-q'], { cwd: repository });
    execFileSync('git', [...git, 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd: repository });
    execFileSync('git', ['worktree', 'add', '-q', '--detach', tree], { cwd: repository });
    symlinkSync(join(home, 'far/node_modules'), join(tree, 'node_modules'));
    const script = `git ${git.join(' ')} commit -q --allow-empty -m second; git log --format=%s
      node -e 'console.log(require("thing"))'; cat ../private; echo 'touch /x' > ../repository/.git/hooks/post-commit`;
    const scenario = join(scratch.path, 'worktree.toml');
    writeFileSync(scenario, 'responses = []\n');
    const flags = ['--scenario', scenario, '--agent', 'claude', '--isolation', 'sandbox'];
    const exec = ['exec', '--stage', 'sim', ...flags, '--', 'sh', '-c', script];
    const ran = await runUnderstudy(exec, { cwd: tree, env: { HOME: home } });
    expect(ran.stdout, ran.stderr).toBe('second\nfirst\n42\n');
    expect(ran.stderr).toMatch(/private: No such file/);
    // It would run outside, with the user's next commit.
    expect(ran.stderr).toMatch(/post-commit: Read-only file system/);
    expect(existsSync(join(repository, '.git/hooks/post-commit'))).toBe(false);
  });

  it('exec is as it is, unless a sandbox is asked for', async () => {
    const scenario = join(scratch.path, 'exec.toml');
    writeFileSync(scenario, '[[responses]]\npattern = { type = "any" }\nresponse = "hello"\n');
    const exec = (...more: string[]) =>
      runUnderstudy(
        [
          'exec',
          '--stage',
          'sim',
          '--scenario',
          scenario,
          '--agent',
          'claude',
          ...more,
          '--',
          'sh',
          '-c',
          `claude -p hi; ls ${scratch.path}/other; exit 4`,
        ],
        { cwd: join(scratch.path, 'other') },
      );
    const [plain, inside] = await Promise.all([exec(), exec('--isolation', 'sandbox')]);
    expect(plain).toMatchObject({ code: 4, stdout: expect.stringContaining('secret') });
    expect(inside).toMatchObject({ code: 4, stdout: expect.stringMatching(/hello\n[\s\S]*secret/) });
  });
});

it('asked for and not there, nothing runs; a wrong level is told', async () => {
  const folder = join(scratch.path, 'flags');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'a.rehearsal.toml'),
    hostileRehearsal(['ls'], { agent: ['claude'], stage: 'sim', more: 'escapes = "none"' }),
  );
  const started = (args: string[], env = {}) => runUnderstudy(args, { cwd: folder, env });
  const [wrong, none] = await Promise.all([
    started(['run', '.', '--isolation', 'chroot']),
    started(['run', '.', '--json', '--isolation', 'none']),
  ]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Use auto, required, none, sandbox') });
  const [entry] = (JSON.parse(none.stdout) as RunResult).entries;
  expect(escapesOf(entry)).toMatchObject({ status: 'unjudged' });
});
