import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram } from '../helpers/understudy.js';
import { resultOf } from './entry.js';
import { named, side } from './lists.js';

const rehearsal = (answer: string, more = '') => `name = "greeting"
[[responses]]
pattern = { type = "any" }
response = "${answer}"
[[steps]]
send = "hi"
expect = { says = "Hello" }
${more}`;

const FILES = {
  'green.rehearsal.toml': rehearsal('Hello.'),
  'red.rehearsal.toml': rehearsal('Good bye.'),
  'unused.rehearsal.toml': `${rehearsal('Hello.')}\n[[responses]]\npattern = { type = "exact", text = "never" }\nresponse = "x"\n`,
  'unanswered.rehearsal.toml': 'name = "none"\nresponses = []\n[[steps]]\nsend = "hi"\n',
  'broken.rehearsal.toml': 'name = \n',
  'wrong.rehearsal.toml': `nmae = "x"\n${rehearsal('Hello.')}`,
  'hello.toml': '[[responses]]\npattern = { type = "any" }\nresponse = "Hello."\n',
  'failing.toml': '[[responses]]\npattern = { type = "any" }\nfailure = { type = "rate_limit" }\n',
  'empty/readme.md': 'nothing\n',
  'plugin/.claude-plugin/plugin.json': '{ "name": "kit" }\n',
  'plugin/hooks/hooks.json':
    '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "echo stop >&2; exit 2" }] }] } }\n',
};

/** Typical starts, good and bad. `{}` is the folder; every command line stands as a user types it. */
const STARTS = [
  '',
  '--version',
  '--no-such-flag',
  'nonsense',
  'run --no-such-flag',
  'run none.rehearsal.toml --stage sim',
  'run empty --stage sim',
  'run empty --stage sim --pass-with-no-tests',
  'run green.rehearsal.toml --stage nowhere',
  'run green.rehearsal.toml --stage sim --json',
  'run green.rehearsal.toml --stage sim --filter nothing',
  'run green.rehearsal.toml --stage sim --agent nobody',
  'run green.rehearsal.toml --stage replay',
  'run red.rehearsal.toml --stage sim --json',
  'run red.rehearsal.toml --stage sim --reporter junit',
  'run unused.rehearsal.toml --stage sim --json',
  'run unanswered.rehearsal.toml --stage sim --json',
  'run broken.rehearsal.toml --stage sim --json',
  'run green.rehearsal.toml --stage sim --list',
  'check green.rehearsal.toml hello.toml',
  'check broken.rehearsal.toml --json',
  'check wrong.rehearsal.toml --json',
  'check none.toml',
  'play hello.toml',
  'play none.toml',
  'exec --scenario hello.toml -- claude -p hi',
  'exec --scenario hello.toml -- codex exec --skip-git-repo-check hi',
  'exec --scenario hello.toml -- gemini -p hi',
  'exec --scenario hello.toml -- opencode run hi',
  'exec --scenario hello.toml -- kiro-cli chat --no-interactive hi',
  'exec --scenario hello.toml -- true',
  'exec --scenario hello.toml -- no-such-program',
  'exec --scenario none.toml -- true',
  'claude -p hi --scenario hello.toml',
  'claude -p hi --scenario hello.toml --output-format json',
  'claude -p hi --scenario failing.toml',
  'claude -p hi --scenario none.toml',
  'claude -p hi --scenario hello.toml --no-such-flag',
  'hook list plugin --json',
  'hook fire plugin Stop',
  'hook fire plugin NoSuchEvent',
  'cassette show none.jsonl',
  'cassette verify none.jsonl',
  'report show --json',
  'report merge none',
  'e2e --list',
  'e2e nobody',
  'e2e --filter nothing --loop',
  'loop run',
  'agents add nobody',
  'agents remove nobody@1.0.0',
  'completion bash',
  'completion nothing',
  'serve --scenario none.toml',
  'bisect none.rehearsal.toml',
  'plugin none',
  'shim bin',
  'init none --no-such-flag',
  'queue list',
  'mcp --http --no-such-flag',
  'mcp --print-config --json',
];

/** Exit code of each start, and what of its output programs may rely on: codes of errors, the verdicts of a run. */
export async function playEnds(understudy: string): Promise<Record<string, object>> {
  const root = mkdtempSync(join(tmpdir(), 'understudy-ends-'));
  const ends: [string, object][] = [];
  try {
    await side([...STARTS.entries()], async ([at, line]) => {
      const cwd = join(root, String(at));
      writeFiles(cwd, FILES);
      const args = line === '' ? [] : line.split(' ');
      const env = { HOME: join(cwd, 'home'), UNDERSTUDY_STORE: join(cwd, 'store') };
      const { code, stdout, stderr } = await runProgram([process.execPath, understudy, ...args], {
        cwd,
        env,
        input: 'hi\n',
      });
      ends.push([`understudy ${line}`, { exit: String(code), ...said(stdout, stderr, [cwd, understudy]) }]);
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return Object.fromEntries(ends.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function said(stdout: string, stderr: string, paths: readonly string[]): object {
  const codes = `${stderr}${stdout}`.match(/\b[A-Z]{3,}(?:_[A-Z]+)+\b/g) ?? [];
  const document = jsonOf(stdout);
  const plain = paths.reduce((text, path) => text.replaceAll(path, '…'), stdout).trim();
  return {
    ...(codes.length === 0 ? {} : { codes: [...new Set(codes)].sort().join(' ') }),
    ...document,
    ...(document === undefined && plain !== '' && plain.split('\n').length <= 3 ? { stdout: plain } : {}),
  };
}

/** The fields of a JSON document, and the verdicts in it. */
function jsonOf(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = JSON.parse(text) as { entries?: EntryResult[]; verdict?: string; result?: string };
  const entries = value.entries?.map((entry) => [entry.name, resultOf(entry, String)]);
  return {
    json: named(Object.keys(value)),
    ...(entries === undefined ? {} : { entries: Object.fromEntries(entries) }),
    ...(value.verdict === undefined ? {} : { verdict: value.verdict }),
    ...(value.result === undefined ? {} : { result: value.result }),
  };
}
