import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OPENCODE_ALONE } from '../../src/model-server/environment.js';
import { type RunResult, runProgram } from '../helpers/understudy.js';
import { makeRepository } from './make-repository.js';
import { startOpenaiModel } from './openai-model.js';
import type { OpenCodeCase } from './opencode-case.js';
import { toldByRequests, toldInLog } from './opencode-told.js';

/** What OpenCode or its stand-in did, without the ids and times that differ from run to run. */
export interface OpenCodeRun {
  code: number | null;
  /** The text, or the events where every line is one. */
  stdout: unknown;
  stderr: string;
  /** What the model was told, but for OpenCode's own texts. */
  told?: { system: string; messages: string[]; tools: string[] };
  /** What was run after it. */
  then?: OpenCodeRun[];
}

/** Runs a case in a scratch home; without a real command it runs on the stand-in. */
export async function observeOpenCode(
  kind: 'real' | 'stand-in',
  command: readonly string[],
  test: OpenCodeCase,
): Promise<OpenCodeRun> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'conformance-')));
  const model = await startOpenaiModel(test.answer);
  try {
    const cwd = join(root, 'work');
    mkdirSync(cwd);
    writeFiles(cwd, test.files);
    writeFiles(root, test.home);
    const scenario = join(root, 'scenario.json');
    writeFileSync(scenario, JSON.stringify(test.scenario));
    const log = join(root, 'log.jsonl');
    const env = kind === 'real' ? OPENCODE_ALONE : { UNDERSTUDY_SCENARIO: scenario, UNDERSTUDY_LOG: log };
    if (kind === 'real')
      writeFiles(root, {
        '.config/opencode/opencode.json': JSON.stringify(realSettings(model.url, test.told === true)),
      });
    if (test.git) makeRepository(cwd, 'with a commit');
    const run = async (args: readonly string[]) =>
      await runProgram([...command, ...args], { cwd: join(cwd, test.folder ?? '.'), env: { HOME: root, ...env } });
    const { code, stdout, stderr } = await run(test.args);
    const id = /"sessionID":"(ses_\w+)"/.exec(stdout)?.[1] ?? '';
    const then: Omit<OpenCodeRun, 'then'>[] = [];
    for (const args of test.then ?? [])
      then.push(observed(await run(args.map((word) => word.replace('{session}', id))), test, root));
    const told = () => withoutRoot(kind === 'real' ? toldByRequests(model.requests) : toldInLog(log), root);
    const first = { ...observed({ code, stdout, stderr }, test, root), ...(test.told ? { told: told() } : {}) };
    return test.then === undefined ? first : { ...first, then };
  } finally {
    model.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function observed(
  { code, stdout, stderr }: Pick<RunResult, 'code' | 'stdout' | 'stderr'>,
  test: OpenCodeCase,
  root: string,
): OpenCodeRun {
  if (test.onlyCode) return { code, stdout: '', stderr: '' };
  if (test.onlyToolResults)
    return { code, stdout: toolResults(stdout).map((result) => result.replaceAll(root, '/ROOT')), stderr: '' };
  const told = stdout.replaceAll(root, '/ROOT').replaceAll(root.slice(1), 'ROOT');
  return {
    code,
    stdout: normalized(documentOf(told) ?? eventsOf(told) ?? withoutTimes(told)),
    stderr: stderr
      .replaceAll(root, '/ROOT')
      .replace(/\berr_\w+/, '<err>')
      .replace(/\bses_\w{20,}/g, '<ses>'),
  };
}

/** One JSON document over many lines. */
function documentOf(stdout: string): unknown {
  return /^[[{]\n/.test(stdout) ? JSON.parse(stdout) : undefined;
}

/** A list of sessions has ids and times of day in it. */
function withoutTimes(stdout: string): string {
  return stdout
    .replace(/\bses_\w{20,}/g, (id) => '<ses>'.padEnd(id.length))
    .replace(/\b\d+:\d\d(\s)[AP]M/g, '0:00$1AM');
}

function writeFiles(folder: string, files: Record<string, string> = {}): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

function withoutRoot<Value>(value: Value, root: string): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(root, '/ROOT').replaceAll(root.slice(1), 'ROOT')) as Value;
}

/** The settings of the user: those of a project count more. */
function realSettings(baseURL: string, hasOther: boolean): object {
  return {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    enabled_providers: ['fake'],
    permission: { external_directory: 'allow', doom_loop: 'allow' },
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL, apiKey: 'sk-fake' },
        models: Object.fromEntries(
          ['fake-model', ...(hasOther ? ['other-model'] : [])].map((name) => [
            name,
            { name, limit: { context: 128_000, output: 8192 } },
          ]),
        ),
      },
    },
  };
}

function eventsOf(stdout: string): unknown[] | undefined {
  if (!stdout.startsWith('{')) return undefined;
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** Each tool's input, status and output or error, as JSON, sorted. */
function toolResults(stdout: string): string[] {
  return (eventsOf(stdout) ?? [])
    .map((event) => event as { type: string; part: { state: Record<string, unknown> } })
    .filter(({ type }) => type === 'tool_use')
    .map(({ part }) => part.state)
    .map(({ input, status, output, error }) => JSON.stringify({ input, status, output, error }))
    .sort();
}

/** What the real one adds to the data of an error: what came over the wire. */
const WIRE = new Set(['responseHeaders', 'responseBody', 'metadata']);

/** A value with ids and times by their kind, so that two runs can be compared. */
function normalized(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => normalized(item));
  if (typeof value === 'number' && value > 1e12) return '<time>';
  // Its name is chosen by chance.
  if (field === 'slug') return '<slug>';
  if (typeof value === 'string') return value.replace(/^(ses|msg|prt|call|err)_\w+$/, '<$1>');
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => field !== 'data' || !WIRE.has(key));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, normalized(part, key)]));
}
