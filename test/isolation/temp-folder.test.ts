import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFolder } from '../../packages/agents/src/store-folder.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, sample, seedOr } from '../helpers/seeded.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

const TIMEOUT = 300_000;

let scratch: Scratch;

beforeEach(() => {
  scratch = createScratch('temp');
});

afterEach(() => scratch.remove());

/** Whether the program can have a /tmp that nobody else writes to, without hiding what it needs. */
const canHideTmp =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0 &&
  ![process.cwd(), homedir(), storeFolder()].some((folder) => folder.startsWith('/tmp/'));

/** Runs a program in a /tmp of its own, and lists all that is left there: some CLIs do not ask for TMPDIR. */
const ALONE = `mount -t tmpfs tmpfs /tmp && mkdir /tmp/own /tmp/work && cd /tmp/work || exit
TMPDIR=/tmp/own "$@"; code=$?
find /tmp -mindepth 1 ! -path /tmp/own ! -path '/tmp/work*' -printf 'left: %p\\n'
exit $code`;

/** Runs a program with a work folder and a temp folder of its own, and tells what it left in the latter. */
function runInTemp(args: readonly string[]): { code: number | null; output: string; left: string[] } {
  const own = join(scratch.path, 'own');
  const work = join(scratch.path, 'work');
  for (const folder of [own, work]) mkdirSync(folder);
  const [file = '', ...rest] = canHideTmp
    ? ['unshare', '-rm', 'sh', '-c', ALONE, 'sh', process.execPath, ...args]
    : [process.execPath, ...args];
  const { PATH = '', HOME = '' } = process.env;
  const run = spawnSync(file, rest, {
    cwd: canHideTmp ? '/' : work,
    encoding: 'utf8',
    timeout: TIMEOUT,
    env: { PATH, HOME, NO_COLOR: '1', TMPDIR: own, UNDERSTUDY_STORE: storeFolder() },
  });
  const told = run.stdout.split('\n').flatMap((line) => /^left: (.*)/.exec(line)?.[1] ?? []);
  return { code: run.status, output: `${run.stdout}${run.stderr}`, left: [...told, ...readdirSync(own)] };
}

/** Two turns with a shell each, in a home that the caller keeps. */
function conversationWith(agent: string): string {
  return `
    import { mkdirSync, readdirSync } from 'node:fs';
    import { resolve } from 'node:path';
    import { Conversation } from ${JSON.stringify(resolve('dist/index.js'))};
    const home = resolve('home');
    mkdirSync(home);
    const shell = (prompt, command) => ({
      pattern: { type: 'contains', text: prompt },
      response: { text: 'Done.', tool_calls: [{ tool: 'shell', input: { command } }] },
    });
    const responses = [shell('first', 'echo "$TMPDIR" > "$TMPDIR/note"'), shell('second', 'cat "$TMPDIR/note"')];
    const conversation = await Conversation.start({ agent: ${JSON.stringify(agent)}, home, retries: 0, scenario: { responses } });
    const turns = [await conversation.send('first'), await conversation.send('second')];
    await conversation.end();
    const tools = turns.flatMap((turn) => turn.tools.map((tool) => tool.result));
    console.log(JSON.stringify({ outcomes: turns.map((turn) => turn.outcome), tools, home: readdirSync(home) }));`;
}

const AGENTS = ['claude', 'claude@2.1.197', 'opencode', 'codex', 'gemini'];

// One of them; all in a long run.
const seed = seedOr(1);

it.for(sample(AGENTS, 1, seed))(
  '%s has a temp folder that goes with it',
  { timeout: TIMEOUT },
  async (agent, context) => {
    await realAgent(agent, context);
    const { code, output, left } = runInTemp(['--input-type=module', '--eval', conversationWith(agent)]);
    expect(code, output).toBe(0);
    const seen = JSON.parse(output.split('\n')[0] ?? '') as { outcomes: string[]; tools: string[]; home: string[] };
    expect(seen.outcomes).toEqual(['completed', 'completed']);
    // One folder for the whole conversation, outside of the home.
    expect(seen.tools.at(-1)).toMatch(/understudy-\d+-[\w.]+-t-\w+/);
    expect(seen.home.filter((name) => !/^\.(claude|codex|gemini|config|cache|local)$/.test(name))).toEqual([]);
    expect(left).toEqual([]);
  },
);

// It starts all of them twice.
if (LONG)
  it('what tries every CLI leaves nothing in the temp folder', { timeout: TIMEOUT }, async (context) => {
    for (const agent of AGENTS) await realAgent(agent, context);
    const { code, output, left } = runInTemp([UNDERSTUDY, 'agents', 'list', '--try']);
    expect(code, output).toBe(0);
    expect(left).toEqual([]);
  });

it.for(sample(['claude', 'opencode'], 1, seed))(
  'a case of the suite with the real %s leaves nothing in the temp folder',
  { timeout: TIMEOUT },
  async (backend, context) => {
    await realAgent(backend, context);
    const flags = ['--stage', 'scripted', '--grep', `tool-use@${backend}`, '--skip-analysis', '--skip-baselines'];
    const { code, output, left } = runInTemp([UNDERSTUDY, 'e2e', '--stage', 'sim', backend, '--loop', ...flags]);
    expect(code, output).toBe(0);
    expect(left).toEqual([]);
  },
);
