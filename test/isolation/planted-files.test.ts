import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import { checksOf } from '../../packages/verdict/src/results/entry-result.js';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { untilHolds } from '../helpers/until-holds.js';

/** What an agent or a program may put in the place of what we read back. */

const CANARY = 'CANARY-OF-A-PRIVATE-FILE';
const problem = await sandboxProblem();

let scratch: Scratch;
let secret: string;
beforeAll(() => {
  scratch = createScratch('planted-files');
  secret = join(scratch.path, 'secret');
  mkdirSync(join(secret, '1'), { recursive: true });
  for (const name of ['key.txt', '1/start', '1/stdout']) writeFileSync(join(secret, name), CANARY, { mode: 0o600 });
});
afterAll(() => scratch.remove());

/** A conversation in which the agent runs a command; the hooks of the end are recorded. */
const talk = (command: string, more = '') => `
project.files = { ".claude/settings.json" = ${JSON.stringify(JSON.stringify({ hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: 'true' }] }] } }))} }
[[responses]]
pattern = { type = "any" }
response = { text = "Done.", tool_calls = [{ tool = "Bash", input = { command = ${JSON.stringify(command)} } }] }
[[steps]]
send = "go"
timeout_ms = 10000
[end.expect]
hooks = [{ event = "SessionEnd" }]
${more}`;

/** A program that calls an agent, and does something to the record of the call. */
const program = (command: string) => `
[[responses]]
pattern = { type = "any" }
response = "Hello."
[[steps]]
run = ["sh", "-c", ${JSON.stringify(`claude -p hello; cd "$UNDERSTUDY_CALLS"; ${command}`)}]
timeout_ms = 20000
`;

const RUN = 'runs="$(dirname "$CLAUDE_CODE_SHELL_PREFIX")/runs"';
// A sandbox allows less.
const SPARSE = 'rm -f 1/stdout; truncate -s 300G 1/stdout || truncate -s 100M 1/stdout';

/** `isRecord`: in a sandbox nobody reads it, because recorders tell where no agent can write. */
const planted: Record<string, { rehearsal: () => string; says: RegExp; isRecord?: true }> = {
  'a FIFO for the log of the stand-in': {
    rehearsal: () => talk('rm -f "$UNDERSTUDY_LOG"; mkfifo "$UNDERSTUDY_LOG"'),
    says: /stand-in\.jsonl is a FIFO/,
    isRecord: true,
  },
  'a FIFO for a stream of a call': {
    rehearsal: () => program('rm 1/stdout; mkfifo 1/stdout'),
    says: /1\/stdout is a FIFO/,
    isRecord: true,
  },
  'a FIFO for the start of a call': {
    rehearsal: () => program('rm 1/start; mkfifo 1/start'),
    says: /1\/start is a FIFO/,
    isRecord: true,
  },
  'a FIFO for the list of what is not in place': {
    rehearsal: () => program('mkfifo refused'),
    says: /refused is a FIFO/,
  },
  'a FIFO for a run of a hook': {
    rehearsal: () => talk(`${RUN}; mkdir "$runs/run.zz"; mkfifo "$runs/run.zz/command"`),
    says: /run\.zz\/command is a FIFO/,
    isRecord: true,
  },
  'a link for a stream of a call': {
    rehearsal: () => program(`rm 1/stdout; ln -s ${secret}/key.txt 1/stdout`),
    says: /1\/stdout is a link/,
    isRecord: true,
  },
  'a link for the folder of a call': {
    rehearsal: () => program(`rm -r 1; ln -s ${secret}/1 1`),
    says: /1 is a link/,
    isRecord: true,
  },
  'a link for a run of a hook': {
    rehearsal: () =>
      talk(
        `${RUN}; mkdir "$runs/run.zz"; cd "$runs/run.zz"; echo true > command; echo '{"hook_event_name":"SessionEnd"}' > stdin; ln -s ${secret}/key.txt stdout; echo 0 > exit`,
      ),
    says: /run\.zz\/stdout is a link/,
    isRecord: true,
  },
  'a device for a stream of a call': {
    rehearsal: () => program('rm 1/stdout; ln -s /dev/zero 1/stdout'),
    says: /1\/stdout is a link/,
    isRecord: true,
  },
  'a huge file for a stream of a call': {
    rehearsal: () => program(SPARSE),
    says: /1\/stdout is larger than/,
    isRecord: true,
  },
  'a FIFO for the settings of git': {
    rehearsal: () =>
      talk(
        'git init -q .; git -c user.name=a -c user.email=b commit -q --allow-empty -m x; rm .git/config; mkfifo .git/config',
      ),
    says: /\.git cannot be read by git log: .*ETIMEDOUT/,
  },
  'a FIFO for the HEAD of the project': {
    rehearsal: () => talk('git init -q .; rm .git/HEAD; mkfifo .git/HEAD'),
    says: /\.git\/HEAD is a FIFO/,
  },
};

const isolations = ['sandbox', 'none'] as const;

describe.each(isolations.filter((level) => level === 'none' || problem === undefined))('isolation %s', (isolation) => {
  let run: RunResult;
  let folder: string;
  beforeAll(async () => {
    folder = join(scratch.path, isolation);
    for (const [name, { rehearsal }] of Object.entries(planted))
      writeFiles(folder, { [fileOf(name)]: `name = "${name}"\n${rehearsal()}` });
    const flags = ['--stage', 'sim', '--agent', 'claude', '--isolation', isolation, '--json'];
    const { stdout, stderr } = await runUnderstudy(['run', ...flags], { cwd: folder });
    run = runResultSchema.parse(JSON.parse(stdout === '' ? stderr : stdout));
  });

  it.each(Object.entries(planted))('%s is not read, and the verdict says so', (name, { says, isRecord }) => {
    const entry = run.entries.find(({ file }) => file === fileOf(name));
    if (entry === undefined) throw new Error(JSON.stringify(run));
    const records = checksOf(entry).find((check) => check.name === 'records');
    if (isolation === 'sandbox' && isRecord === true) {
      expect(records).toBeUndefined();
      // One of them names a private file, which is nobody's business here.
      const others = checksOf(entry).filter((check) => check.name !== 'escapes' && check.status !== 'passed');
      expect(others).toEqual([]);
      return;
    }
    expect(records, JSON.stringify(entry)).toMatchObject({ status: 'unjudged', actual: expect.stringMatching(says) });
    expect(entry).not.toMatchObject({ status: 'passed' });
    expect(entry.error).toBeUndefined();
  });

  it('shows nothing of a private file', () => {
    expect(run.exit_code).toBe(1);
    expect(JSON.stringify(run) + everythingIn(join(folder, '.understudy'))).not.toContain(CANARY);
  });
});

const fileOf = (name: string) => `${name.replaceAll(' ', '-')}.rehearsal.toml`;

/** The text of all files below a folder. */
function everythingIn(folder: string): string {
  if (!existsSync(folder)) return '';
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

it('a file of ours that the next step writes is not written through a link', async () => {
  const folder = join(scratch.path, 'written');
  writeFiles(folder, {
    'mine.txt': 'mine',
    'a.rehearsal.toml': `${program(`cd ../..; rm -f step.sh; ln -s ${join(folder, 'mine.txt')} step.sh`)}
[[steps]]
run = ["claude", "-p", "hello"]
`,
  });
  await runUnderstudy(['run', '--stage', 'sim', '--agent', 'claude', '--isolation', 'none'], { cwd: folder });
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

it('exec tells it, and does not end well', async () => {
  const folder = join(scratch.path, 'exec');
  writeFiles(folder, { 's.toml': '[[responses]]\npattern = { type = "any" }\nresponse = "Hello."\n' });
  const script = 'claude -p hello; rm "$UNDERSTUDY_CALLS/1/stdout"; mkfifo "$UNDERSTUDY_CALLS/1/stdout"';
  const args = ['exec', '--stage', 'sim', '--scenario', 's.toml', '--', 'sh', '-c', script];
  const { code, stderr } = await runUnderstudy(args, { cwd: folder });
  expect(stderr).toMatch(/could not be read.*1\/stdout is a FIFO/);
  expect(code).toBe(1);
});

it('a FIFO in the project is nothing', async () => {
  const folder = join(scratch.path, 'project');
  writeFiles(folder, { 'a.rehearsal.toml': talk('mkfifo here; ln -s here there') });
  const { code, stdout } = await runUnderstudy(['run', '--stage', 'sim', '--agent', 'claude'], { cwd: folder });
  expect({ code, stdout }).toMatchObject({ code: 0 });
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a run whose log is a FIFO',
  async (signal) => {
    const folder = join(scratch.path, signal);
    const planting = talk('rm -f "$UNDERSTUDY_LOG"; mkfifo "$UNDERSTUDY_LOG"; touch planted; sleep 100');
    writeFiles(folder, { 'a.rehearsal.toml': planting.replace('10000', '100000') });
    const tmp = join(folder, 'tmp');
    mkdirSync(tmp);
    const running = startUnderstudy(['run', '--stage', 'sim', '--agent', 'claude'], {
      cwd: folder,
      env: { TMPDIR: tmp },
    });
    onTestFinished(() => running.signal('SIGKILL'));
    const isPlanted = () =>
      readdirSync(tmp, { recursive: true }).some((name) => String(name).endsWith('project/planted'));
    await untilHolds(isPlanted, 'the FIFO is there');
    running.signal(signal);
    expect(await running.exited).toBe(130);
  },
  60_000,
);
