import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunResult as RunDocument } from '../../packages/verdict/src/results/run-result.js';
import { preparePytest } from '../helpers/pytest.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { type RunResult, runProgram } from '../helpers/understudy.js';
import type { Contract } from './compare.js';
import { resultOf } from './entry.js';
import type { Installed } from './package-at.js';

/** Of a server on this machine. */
const KEY = 'sk-understudy-contract';
const SESSION = '0f6f1c1e-3f0b-4c59-9d2e-6a5f5a0c9b11';
/** A first turn, and what only the same session answers. */
const TURNS = `[[responses]]
pattern = { type = "contains", text = "first" }
response = "One."
[[responses.turns]]
expect = { type = "contains", text = "second" }
response = "Two, in the same session."
[[responses]]
pattern = { type = "any" }
response = "Nobody knows this session."
`;
const SUITE = `import { expect, test } from 'agent-understudy/vitest';
test.override({ stage: 'sim', scenario: { responses: [{ pattern: { type: 'any' }, response: {
  text: 'Hello.', tool_calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }] } }] } });
test('is green', async ({ harness }) => {
  const turn = await (await harness.start()).send('hello');
  expect([turn.outcome, turn.tools[0].tool]).toEqual(['completed', 'Write']);
});
test('is red', async ({ harness }) => expect((await (await harness.start()).send('hello')).text).toBe('Bye.'));
`;
const RED = `name = "red"
[[responses]]
pattern = { type = "any" }
response = "Good bye."
[[steps]]
send = "hi"
expect = { says = "Hello" }
`;

/** A place in which one package plays what the base's users have: its examples, and what it left behind. */
export class Side {
  readonly folder: string;
  readonly #package: Installed;

  /** Where a package left something behind: the same place for both sides, because sessions belong to a folder. */
  readonly #left: string;

  constructor(folder: string, installed: Installed, examples: string) {
    this.folder = folder;
    this.#left = join(dirname(folder), 'left');
    this.#package = installed;
    mkdirSync(folder, { recursive: true });
    cpSync(examples, join(folder, 'examples'), { recursive: true });
    symlinkSync(join(installed.root, 'dist'), join(folder, 'dist'));
    symlinkSync(join(installed.root, '..'), join(folder, 'node_modules'));
  }

  get program(): string {
    return join(this.#package.root, 'dist/bin/understudy.js');
  }

  understudy(args: readonly string[], { input = '', cwd = '' } = {}): Promise<RunResult> {
    return runProgram([process.execPath, this.program, ...args], { input, cwd: resolve(this.folder, cwd) });
  }

  /** What it told, without what differs from run to run. */
  plain = (text: string): string =>
    text
      .replaceAll(this.folder, '…')
      .replaceAll(this.#left, '…')
      .replaceAll(this.#package.root, '…')
      .replace(/(?:\/private)?\/tmp\/[\w./@+-]+/g, '/tmp/…')
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, '(time)')
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '(id)')
      .replace(/\b(?:ses|msg|prt|toolu|call|req|thread|run)[_-]?[0-9A-Za-z]{10,}\b/g, '(id)')
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, '(hash)')
      .replace(/\b\d+(?:\.\d+)?( ?)(?:ms|s|min)\b/g, '(duration)')
      .replace(/:\d{4,5}\b/g, ':(port)');

  ended({ code, stdout, stderr }: RunResult): Contract {
    return { exit: String(code), stdout: this.plain(stdout), stderr: this.plain(stderr).slice(0, 2000) };
  }

  /** The entries of a run. */
  async run(args: readonly string[], cwd = this.folder): Promise<Contract> {
    const done = await this.understudy([...args, '--json'], { cwd });
    if (!done.stdout.startsWith('{')) return this.ended(done);
    const { entries = [], verdict, counts } = JSON.parse(done.stdout) as RunDocument;
    const results = entries.map((entry) => [`${entry.id} on ${entry.agent}`, resultOf(entry, this.plain)]);
    return { exit: String(done.code), verdict, counts: JSON.stringify(counts), ...Object.fromEntries(results) };
  }

  /** Everything that the examples show. The stand-ins play most of it, the real CLIs what asks for them. */
  async examples(): Promise<Contract> {
    const results: Contract = {
      'run examples': await this.run(['run', 'examples', '--stage', 'sim', '--workers', '2']),
    };
    for (const script of ['shell-out/check', 'mcp/rehearse', 'conversation/check', 'plugin-check/check', 'serve/check'])
      results[script] = this.ended(
        await runProgram([process.execPath, `examples/${script}.mjs`], { cwd: this.folder }),
      );
    for (const file of readdirSync(join(this.folder, 'examples/scenarios'))) {
      const transcript = join(this.folder, 'examples/scenarios', file.replace(/\.\w+$/, '.transcript.txt'));
      if (!/\.(?:toml|json)$/.test(file) || !existsSync(transcript)) continue;
      const input = [...readFileSync(transcript, 'utf8').matchAll(/^> (.*)$/gm)]
        .map((match) => `${match[1]}\n`)
        .join('');
      results[`play ${file}`] = this.ended(await this.understudy(['play', `examples/scenarios/${file}`], { input }));
    }
    results['exec loop'] = this.ended(
      await this.understudy(['exec', '--scenario', 'loop.scenario.toml', '--', './loop.sh'], {
        cwd: 'examples/programs/loop',
      }),
    );
    return results;
  }

  async orchestrators(): Promise<Contract> {
    const quick = ['--skip-analysis', '--skip-baselines'];
    const results: Contract = { suite: await this.run(['e2e', '--loop', ...quick]) };
    for (const name of ['bash', 'python'])
      results[name] = await this.run([
        'e2e',
        '--orchestrator',
        `examples/orchestrators/${name}.orchestrator.toml`,
        ...quick,
      ]);
    return results;
  }

  async vitest(): Promise<Contract> {
    writeFiles(this.folder, { 'suite/suite.test.mjs': SUITE, 'suite/vitest.config.mjs': 'export default {};\n' });
    const results: Contract = {};
    for (const folder of ['suite', 'examples/vitest']) {
      const cwd = join(this.folder, folder);
      const vitest = join(this.folder, 'node_modules/vitest/vitest.mjs');
      const done = await runProgram([process.execPath, vitest, 'run', '--reporter=json'], { cwd });
      const report = JSON.parse(done.stdout.slice(done.stdout.indexOf('{'))) as {
        testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
      };
      const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
      results[folder] = Object.fromEntries(
        tests.map(({ fullName, status, failureMessages }) => [
          fullName,
          { status, message: this.plain(failureMessages.join('\n').split('\n    at ')[0] ?? '') },
        ]),
      );
    }
    return results;
  }

  async pytest(): Promise<Contract> {
    const pytest = preparePytest();
    if (pytest === undefined) return { skipped: 'there is no Python' };
    const env = {
      UNDERSTUDY_COMMAND: `${process.execPath} ${this.program}`,
      PYTHONPATH: join(this.#package.source, 'python/src'),
    };
    // Installed, it tells pytest of itself.
    const args = ['-p', 'pytest_understudy.plugin', '--understudy-stage', 'sim', '-rA', '-q'];
    const done = await pytest.run(join(this.folder, 'examples/pytest'), args, env);
    pytest.remove();
    const verdicts = [...done.stdout.matchAll(/^([A-Z]+) (\S+::.*|\S+\.toml\S*)$/gm)].map(
      ([, verdict = '', name = '']) => [name, verdict],
    );
    return {
      exit: String(done.code),
      ...Object.fromEntries(verdicts),
      ...(verdicts.length > 0 ? {} : { stdout: this.plain(done.stdout) }),
    };
  }

  /** Runs, sessions and a recording, for a later package to open. */
  async leaveBehind(): Promise<void> {
    writeFiles(this.#left, { 'turns.toml': TURNS, 'red.rehearsal.toml': RED });
    cpSync(join(this.folder, 'examples/programs/loop'), join(this.#left, 'loop'), { recursive: true });
    await this.run(['run', 'loop', '--stage', 'sim'], this.#left);
    await this.run(['run', 'loop', 'red.rehearsal.toml', '--stage', 'sim'], this.#left);
    for (const { first } of Object.values(SESSIONS)) await this.#exec(first);
    await this.#record();
    cpSync(this.#left, `${this.#left}.kept`, { recursive: true, preserveTimestamps: true });
  }

  async openLeft(): Promise<Contract> {
    rmSync(this.#left, { recursive: true });
    cpSync(`${this.#left}.kept`, this.#left, { recursive: true, preserveTimestamps: true });
    const results: Contract = {};
    const examples = join(this.folder, 'examples/cassettes');
    for (const line of ['report show --json', 'report trends', 'report diff --json'])
      results[line] = this.ended(await this.understudy(line.split(' '), { cwd: this.#left }));
    for (const cassette of ['ask.jsonl', join(examples, 'ask.cassette.jsonl')]) {
      const replay = ['exec', '--stage', 'replay', '--cassette', cassette, '--agent', 'claude', '--', 'node'];
      for (const args of [
        ['cassette', 'show', cassette],
        ['cassette', 'verify', cassette],
        [...replay, join(examples, 'ask.mjs')],
      ])
        results[`${args[0]} ${args[1]} ${basename(cassette)}`] = this.ended(
          await this.understudy(args, { cwd: this.#left }),
        );
    }
    // The last one first, while it is the last one.
    for (const [name, { again }] of Object.entries(SESSIONS).reverse())
      results[`session of ${name}`] = this.ended(await this.#exec(again));
    results['last failed'] = await this.run(['run', '--last-failed', '--stage', 'sim'], this.#left);
    return results;
  }

  #exec([stand, ...args]: readonly string[]): Promise<RunResult> {
    const env = {
      HOME: join(this.#left, 'home'),
      UNDERSTUDY_SCENARIO: join(this.#left, 'turns.toml'),
    };
    const bin = join(this.#package.root, `dist/bin/understudy-${stand}.cjs`);
    return runProgram([process.execPath, bin, ...args], { cwd: this.#left, env });
  }

  /** A recording needs an API; ours is one. */
  async #record(): Promise<void> {
    const scenario = join(this.#left, 'turns.toml');
    const serve = ['serve', '--json', '--key', KEY, '--scenario', scenario];
    const server = spawn(process.execPath, [this.program, ...serve], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      let told = '';
      for await (const line of createInterface({ input: server.stdout })) {
        told += line;
        if (line === '}') break;
      }
      const env = { ANTHROPIC_BASE_URL: /http:\/\/[\w.:]+/.exec(told)?.[0] ?? '', ANTHROPIC_API_KEY: KEY };
      const ask = [process.execPath, join(this.folder, 'examples/cassettes/ask.mjs')];
      const args = [this.program, 'record', '-o', 'ask.jsonl', '--agent', 'claude', '--', ...ask];
      const done = await runProgram([process.execPath, ...args], { cwd: this.#left, env });
      if (done.code !== 0) throw new Error(`nothing was recorded: ${done.stderr}`);
    } finally {
      server.kill();
      if (server.exitCode === null) await once(server, 'exit');
    }
  }
}

/** A session of each stand-in that keeps some: how it is begun, and how it is gone on with. */
const SESSIONS: Record<string, { first: readonly string[]; again: readonly string[] }> = {
  claude: {
    first: ['claude', '-p', 'first', '--session-id', SESSION],
    again: ['claude', '-p', 'second', '--resume', SESSION],
  },
  'claude, the last one': {
    first: ['claude', '-p', 'first', '--session-id', SESSION.replace('0f', '1f')],
    again: ['claude', '-p', 'second', '--continue'],
  },
  codex: {
    first: ['codex', 'exec', '--skip-git-repo-check', 'first'],
    again: ['codex', 'exec', '--skip-git-repo-check', 'resume', '--last', 'second'],
  },
  opencode: { first: ['opencode', 'run', 'first'], again: ['opencode', 'run', '--continue', 'second'] },
  gemini: { first: ['gemini', '-p', 'first'], again: ['gemini', '--resume', 'latest', '-p', 'second'] },
};
