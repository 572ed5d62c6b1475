import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectSlug, SHORT_LIVED } from '@understudy/agents';
import {
  adoptGroup,
  createScratch,
  isObject,
  killAllOf,
  killGroup,
  markChild,
  parseJson,
  reapIfLeft,
  releaseFromReaper,
} from '@understudy/kit';
import { type Case, PAYLOADS, type Run } from './case.js';
import { startHookServer } from './case-hooks.js';
import { startClaudeModel, type WireSeen } from './case-model.js';
import { scenarioOf } from './case-scenario.js';
import { toldParagraphs } from './told.js';

export type Json = Record<string, unknown>;

/** What one program did with a case, as far as every program shows it. */
export interface Behavior {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** The lines of stdout that are JSON. */
  events: Json[];
  /** Those of the sessions, and after each those of its subagents. */
  transcripts: Json[][];
  /** What the model was told. */
  told: string[];
  /** The payloads that the hooks of the case have written with `RECORD_PAYLOAD`, or sent to its server for hooks. */
  payloads?: Json[];
}

export interface Observed extends Behavior {
  /** The requests for an answer of the model. The stand-in makes none. */
  wire: WireSeen[];
  payloads: Json[];
  /** What the stand-in refused although the real CLI does it. */
  refused: string[];
}

export interface Program {
  kind: 'real' | 'stand-in';
  command: string[];
}

/** On a busy machine, eight servers need more than the two seconds that a prompt waits for them. */
const PATIENT = { UNDERSTUDY_MCP_PATIENCE_MS: '50000' };

/**
 * Runs a case in a scratch home, with nothing of this machine in its environment. Its earlier
 * processes may be of the other program.
 */
export async function observe(
  program: Program,
  test: Case,
  { earlier = program, signal }: { earlier?: Program; signal?: AbortSignal } = {},
): Promise<Observed> {
  const scratch = createScratch('case');
  const root = scratch.path;
  const hookServer = test.webAnswers === undefined ? undefined : await startHookServer(test.webAnswers);
  try {
    const home = join(root, 'home');
    const cwd = join(root, 'work');
    writeFiles({ ...test.files, 'HOME/.claude/.keep': '' }, { home, cwd }, hookServer?.url);
    mkdirSync(cwd, { recursive: true });
    mkdirSync(join(root, 'temp'));
    for (const run of test.before ?? []) await runOnce(earlier, run, { root, home, cwd }, test.env, signal);
    const observed = await runOnce(program, test, { root, home, cwd }, test.env, signal);
    observed.payloads.push(...(hookServer?.payloads ?? []));
    // Claude Code names the folder of a project's transcripts after its path.
    const text = JSON.stringify(observed)
      .replaceAll(root, '/ROOT')
      .replaceAll(projectSlug(root), '-ROOT')
      .replaceAll(/\ba[0-9a-f]{16}\b/g, 'a0123456789abcdef')
      .replaceAll(/(?<=ID: |task-id>|\/tasks\/|[iI]d\\*":\\*")b[0-9a-z]{8}\b/g, 'b01234567')
      .replaceAll(/async_hook_\d+/g, 'async_hook_1')
      .replaceAll(/[0-9a-f-]{36}(?=\/tool-results\/)/g, 'SESSION')
      .replaceAll(/-blob-\d+-\w+/g, '-blob-1-x')
      .replaceAll(/mcp-resource-\d+-\d+-\w+/g, 'mcp-resource-1-0-x')
      .replaceAll(/duration_ms(: |>)\d+/g, 'duration_ms$11')
      .replaceAll(/(?<=<tool-use-id>)\w+/g, 'toolu_1')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1')
      // What the CLI adds to a complaint about the output of a hook, for who reads it.
      .replaceAll(/\\n\\nExpected schema:\\n(?:[^"\\]|\\.)*/g, '')
      .replaceAll(/(?<=Error in hook callback \w+: )(?:[^"\\]|\\.)*/g, '…')
      .replaceAll(/(?<=JSON Parse error: )[^"]*?(?=\. Emit)/g, '…')
      .replaceAll(/[\w./]+\/claude-\d+\/(?=claude-settings-|-ROOT)/g, '/TEMP/')
      .replaceAll(/(?<=\/TEMP\/-ROOT-work\/)[0-9a-f-]{36}(?=\/tasks\/)/g, 'SESSION');
    return JSON.parse(text) as Observed;
  } finally {
    await hookServer?.close();
    await scratch.remove();
  }
}

interface Places {
  root: string;
  home: string;
  cwd: string;
}

async function runOnce(
  program: Program,
  run: Run,
  { root, home, cwd }: Places,
  env: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Observed> {
  const turns = run.turns ?? [[{ say: 'hello' }]];
  const scenario = join(root, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(scenarioOf(turns, run.hookAnswers)));
  const log = join(root, 'log.jsonl');
  rmSync(log, { force: true });
  const model = await startClaudeModel(turns, run.hookAnswers);
  const [command = '', ...first] = program.command;
  const { owner, env: marked } = markChild({
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-nothing',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_TMPDIR: join(root, 'temp'),
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    ...(program.kind === 'stand-in' ? { UNDERSTUDY_SCENARIO: scenario, UNDERSTUDY_LOG: log, ...PATIENT } : SHORT_LIVED),
    ...env,
  });
  // Before it starts: we may be killed at once.
  reapIfLeft('owner', owner);
  const child = spawn(command, [...first, ...run.args.map((arg) => arg.replaceAll('ROOT', root))], {
    ...{ cwd, env: marked, detached: true },
  });
  adoptGroup(child.pid, owner);
  const events: Json[] = [];
  let stdout = '';
  let stderr = '';
  let rest = '';
  let noticed = (): void => {};
  const calls = new Map<string, number>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    rest += text;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = parse(line);
      if (event === undefined) continue;
      events.push(event);
      const response = event['type'] === 'control_request' ? answerOfHost(run, event, calls) : undefined;
      if (response !== undefined) child.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
    }
    noticed();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const end = () => killGroup(child.pid);
  const timer = setTimeout(end, 60_000);
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  let seen = 0;
  let lastAt = -1;
  for (const talk of run.talk ?? []) {
    if ('send' in talk) {
      if ((talk.send as Json)['type'] === 'user') {
        const results = events.filter(({ type }) => type === 'result').length;
        // The model receives what is sent while a turn runs in this turn, or later.
        if (results > lastAt) model.prompted();
        lastAt = results;
      }
      child.stdin.write(`${JSON.stringify(talk.send)}\n`);
    } else if ('wait' in talk) await new Promise((resolve) => setTimeout(resolve, talk.wait));
    else {
      await Promise.race([
        closed,
        new Promise<void>((resolve) => {
          noticed = () => {
            const at = events.findIndex(
              (event, index) => index >= seen && (event['type'] === talk.until || event['subtype'] === talk.until),
            );
            if (at === -1) return;
            seen = at + 1;
            resolve();
          };
          noticed();
        }),
      ]);
    }
  }
  child.stdin.end(run.stdin ?? '');
  const exitCode = await closed;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  killAllOf({ pid: child.pid ?? 0, owner });
  releaseFromReaper('owner', owner);
  await model.close();
  // All events at once are one list.
  if (events.length === 0) events.push(...parseList(stdout));
  const told = toldParagraphs(program.kind === 'real' ? model.told : readLog(log));
  return {
    ...{ exitCode, stdout, stderr, events, transcripts: readTranscripts(home), told },
    wire: model.wire,
    payloads: readLines(join(root, PAYLOADS)),
    refused: readLines(log).flatMap(({ unsupported }) => (typeof unsupported === 'string' ? [unsupported] : [])),
  };
}

/** What the stand-in says that it told. */
function readLog(file: string): string[] {
  const entries = readLines(file) as { told?: { messages: string[] }[] }[];
  return entries.flatMap(({ told = [] }) => told.flatMap(({ messages }) => messages));
}

/** What the host answers. `calls` counts how often each of its hooks was called. */
function answerOfHost(
  { hostAnswer: answer = {}, callbacks = {} }: Run,
  event: Json,
  calls: Map<string, number>,
): Json | undefined {
  const { input, callback_id: callback } = event['request'] as Json;
  const answers = callbacks[String(callback)] ?? [];
  const call = calls.get(String(callback)) ?? 0;
  calls.set(String(callback), call + 1);
  const request_id = event['request_id'];
  const said = answers[Math.min(call, answers.length - 1)];
  if (said !== undefined) {
    if ('never' in said) return undefined;
    return 'fails' in said
      ? { subtype: 'error', request_id, error: said.fails }
      : { subtype: 'success', request_id, response: said.says };
  }
  if (typeof answer['fails'] === 'string') return { subtype: 'error', request_id, error: answer['fails'] };
  const response =
    answer['behavior'] === 'allow'
      ? { ...answer, updatedInput: { ...(input as Json), ...(answer['updatedInput'] as Json | undefined) } }
      : answer;
  return { subtype: 'success', request_id, response };
}

function writeFiles(files: NonNullable<Case['files']>, { home, cwd }: Omit<Places, 'root'>, hookUrl = ''): void {
  for (const [name, content] of Object.entries(files)) {
    const path = name.startsWith('HOME/') ? join(home, name.slice('HOME/'.length)) : join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(path, text.replaceAll('HOOK_URL', hookUrl), name.endsWith('.sh') ? { mode: 0o755 } : {});
  }
}

/** In the order in which they began, because their names are made up. */
function readTranscripts(home: string): Json[][] {
  const projects = join(home, '.claude', 'projects');
  const list = (folder: string): string[] => {
    try {
      return readdirSync(folder).sort();
    } catch {
      return [];
    }
  };
  const transcripts = (folder: string): { file: string; lines: Json[] }[] =>
    list(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => ({ file: join(folder, name), lines: readLines(join(folder, name)) }))
      .sort((a, b) => (beginningOf(a.lines) < beginningOf(b.lines) ? -1 : 1));
  return list(projects)
    .flatMap((project) => transcripts(join(projects, project)))
    .flatMap(({ file, lines }) => {
      const subagents = join(file.slice(0, -'.jsonl'.length), 'subagents');
      return [lines, ...transcripts(subagents).map((own) => own.lines)];
    });
}

function beginningOf(lines: readonly Json[]): string {
  return String(lines.find(({ timestamp }) => typeof timestamp === 'string')?.['timestamp']);
}

function readLines(file: string): Json[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .map(parse)
    .filter((line) => line !== undefined);
}

function parseList(text: string): Json[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as Json[]) : [];
  } catch {
    return [];
  }
}

function parse(line: string): Json | undefined {
  const value = parseJson(line);
  return isObject(value) ? value : undefined;
}
