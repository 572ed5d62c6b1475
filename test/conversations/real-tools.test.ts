import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { loadScenario } from '../../packages/script/src/load.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram, runUnderstudy } from '../helpers/understudy.js';

/** The same scenario through every door: its tools really run, unless it says that they are mocked. */
const scenario = (mode = '') => `logged_in = true
${mode}
[[responses]]
pattern = { type = "any" }
response = { text = "Done.", tool_calls = [{ tool = "shell", input = { command = "echo ran > ran.txt" } }] }
`;
const MOCKED = 'tool_execution = { mode = "mock" }';

const CALLS = {
  claude: 'claude -p --dangerously-skip-permissions go',
  opencode: 'opencode run go',
  kiro: 'kiro-cli chat --no-interactive --trust-all-tools go',
  codex: 'codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox go',
  gemini: 'gemini -y -p go',
};

interface Door {
  folder: string;
  file: string;
}

const inShell = (command: string, { folder, file }: Door) =>
  runProgram(['/bin/sh', '-c', `${command} < /dev/null`], {
    cwd: folder,
    env: {
      ...{ HOME: folder, CLAUDE_CONFIG_DIR: join(folder, '.claude'), UNDERSTUDY_SCENARIO: file },
      PATH: `${join(folder, 'shims')}:${process.env['PATH']}`,
    },
  });

/** A rehearsal with a step that says whether the file is there afterwards. */
async function rehearse({ folder, file }: Door, steps: string, isThere: boolean): Promise<void> {
  const script = scenario(file.includes('mocked') ? MOCKED : '');
  writeFiles(folder, {
    'a.rehearsal.toml': `name = "a door"\n${script}${steps}
[[steps]]
run = "test ${isThere ? '' : '!'} -e ran.txt"
`,
  });
  const { code, stdout } = await runUnderstudy(['run', '.', '--stage', 'sim'], { cwd: folder });
  expect(code, stdout).toBe(0);
}

const DOORS: Record<string, (door: Door, isThere: boolean) => Promise<unknown>> = {
  ...Object.fromEntries(
    Object.entries(CALLS).map(([agent, command]) => [
      `shim of ${agent}`,
      async (door: Door) => {
        await runUnderstudy(['shim', '--stage', 'sim', join(door.folder, 'shims')]);
        return inShell(command, door);
      },
    ]),
  ),
  claude: ({ folder, file }) =>
    runUnderstudy(['claude', '--scenario', file, '-p', '--dangerously-skip-permissions', 'go'], { cwd: folder }),
  exec: ({ folder, file }) => {
    const program = ['/bin/sh', '-c', CALLS.claude];
    return runUnderstudy(['exec', '--stage', 'sim', '--scenario', file, '--', ...program], { cwd: folder });
  },
  'a program in a rehearsal': (door, isThere) => rehearse(door, `[[steps]]\nrun = "${CALLS.claude}"\n`, isThere),
  'a prompt in a rehearsal': (door, isThere) => rehearse(door, '[[steps]]\nsend = "go"\n', isThere),
  Conversation: async ({ folder, file }) => {
    const permissions = 'allow' as const;
    const conversation = await Conversation.start({
      ...{ agent: 'claude', stage: 'sim', cwd: folder, permissions, scenario: loadScenario(file) },
    });
    await conversation.send('go');
    await conversation.end();
  },
};

it.each(Object.keys(DOORS).flatMap((door) => [true, false].map((isThere) => [door, isThere] as const)))(
  '%s really runs tools: %s',
  { timeout: 60_000 },
  async (door, isThere) => {
    const scratch = createScratch('door');
    onTestFinished(() => scratch.remove());
    const name = isThere ? 'plain.toml' : 'mocked.toml';
    writeFiles(scratch.path, { [name]: scenario(isThere ? '' : MOCKED) });
    const said = await DOORS[door]?.({ folder: scratch.path, file: join(scratch.path, name) }, isThere);
    // A rehearsal has a project of its own.
    if (!door.includes('rehearsal'))
      expect(existsSync(join(scratch.path, 'ran.txt')), JSON.stringify(said)).toBe(isThere);
  },
);
