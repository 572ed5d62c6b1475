import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { storeFolder } from '../../packages/agents/src/store/store-folder.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const stages = claude === undefined ? ['sim'] : ['sim', 'scripted'];
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-surroundings-')));
afterAll(() => rmSync(root, { recursive: true }));

/** What a user may have set, and what no result may depend on. */
const VARIABLES = {
  ...{ LANG: 'tr_TR.UTF-8', LC_ALL: 'de_DE.UTF-8', LC_CTYPE: 'POSIX', LC_COLLATE: 'sv_SE', LANGUAGE: 'fr' },
  ...{ TZ: 'Asia/Kathmandu', TERM: 'xterm-256color', COLUMNS: '40', EDITOR: 'ed', PAGER: 'more', DEBUG: '*' },
  ...{ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', ALL_PROXY: 'socks5://127.0.0.1:9' },
  ...{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', ANTHROPIC_MODEL: 'other', CLAUDE_CODE_USE_BEDROCK: '1' },
  ...{ ANTHROPIC_API_KEY: 'a-key-of-nobody', CLAUDE_CODE_SHELL_PREFIX: 'false', BASH_DEFAULT_TIMEOUT_MS: '1' },
  ...{ GIT_AUTHOR_NAME: 'Somebody', GIT_PAGER: 'false', PYTHONPATH: '/nowhere', GREP_OPTIONS: '--color=always' },
  ...{ POSIXLY_CORRECT: '1', TIME_STYLE: 'full-iso', LS_COLORS: 'di=1', CDPATH: '/' },
};
const FILES = {
  '.bashrc': 'echo from the bashrc\n',
  '.profile': 'echo from the profile\n',
  '.gitconfig': '[user]\n\tname = Somebody\n[alias]\n\tstatus = log\n[core]\n\thooksPath = /nowhere\n',
  '.claude/CLAUDE.md': 'Always answer in French.\n',
  '.claude/settings.json': JSON.stringify({
    permissions: { deny: ['Bash'] },
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] },
  }),
  '.claude/commands/hello.md': 'Another command.\n',
};

const COMMAND = [
  'cut -d= -f1 <(env) | sort -f | grep -v -e PORT -e ^_ ',
  'echo "$LC_ALL $LANG $TZ"; date -d @0 2>&1; printf "b\\nA\\na\\nB\\n" | sort',
  'touch a.txt; ls ./missing 2>&1; git config --get-regexp alias; git status --short 2>&1',
].join('\n');

function rehearsal(stage: string): string {
  return `name = "in ${stage}"
stage = "${stage}"
project = { git = true, files = { "b.txt" = "b", "a.txt" = "a", "c/d.txt" = "d" } }

[[responses]]
pattern = { type = "contains", text = "hello" }
[responses.response]
text = "Looked."
tool_calls = [
  { tool = "Bash", input = { command = ${JSON.stringify(COMMAND)}, description = "Looks around" } },
  { tool = "Glob", input = { pattern = "**/*.txt" } },
]

[[steps]]
send = "hello"
[steps.expect]
tools = { all = ["Bash", "Glob"] }
`;
}

/** The events of each stage, without times and ids. */
async function play(name: string, env: Record<string, string>, files: Record<string, string>) {
  const [cwd, home] = [join(root, name), join(root, `${name}-home`)];
  writeFiles(home, { '.keep': '', ...files });
  writeFiles(cwd, Object.fromEntries(stages.map((stage) => [`${stage}.rehearsal.toml`, rehearsal(stage)])));
  const { code, stdout, stderr } = await runUnderstudy(['run', '.', '--keep-workspace', '--json'], {
    cwd,
    env: { HOME: home, UNDERSTUDY_STORE: storeFolder(), ...env },
  });
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  const artifacts = join(cwd, '.understudy', 'artifacts');
  return readdirSync(artifacts).map((folder) =>
    readFileSync(join(artifacts, folder, 'artifacts', 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => !['session', 'turn_ended', 'process_ended'].includes(String(type)))
      // Whether a call is announced before or after the permission of another one is a matter of time.
      .filter(({ type }) => type !== 'permission')
      .map(({ seq: _seq, at: _at, id: _id, callId: _call, ...event }) => event),
  );
}

it('gives the same events, whatever the user has set and written', async () => {
  const plain = await play('plain', {}, {});
  const perturbed = await play('perturbed', VARIABLES, FILES);
  expect(Object.keys({ ...VARIABLES, ...FILES }).length).toBeGreaterThanOrEqual(25);
  expect(JSON.stringify(plain)).toMatch(/C\.UTF-8 C\.UTF-8 UTC|en_US\.UTF-8 en_US\.UTF-8 UTC/);
  expect(plain).toHaveLength(stages.length);
  const globbed = plain.flat().filter(({ type, tool }) => type === 'tool_result' && tool === 'Glob');
  expect(globbed.map(({ text }) => text)).toEqual(stages.map(() => 'b.txt\nc/d.txt\na.txt'));
  expect(perturbed).toEqual(plain);
});
