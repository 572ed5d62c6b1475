import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { agentNames, splitWords } from '@understudy/agents';
import { defined, ownCommand, UnderstudyError, USER_FILE, writeWhole } from '@understudy/kit';
import { schemaLine } from './schema-line.js';
import { inline, quote } from './toml.js';
import { ANSWER, PROGRAM_PROJECT, type ProgramTry, tryProgram } from './try-program.js';

export interface ScaffoldedProgram {
  file: string;
  /** What the program called in the trial. */
  calls: ProgramTry['calls'];
  exitCode: number;
  /** The last line of what it said about its failure. */
  complaint?: string;
}

interface Options {
  force?: boolean;
  version?: string;
}

/** Files beside the rehearsal are named by its folder: the program runs in a project of its own. */
const HERE = '{{here}}';

/** Runs a program twice with stand-ins, and writes a rehearsal of what both runs have in common. */
export async function scaffoldProgram(
  text: string,
  folder: string,
  { force = false, version = 'latest' }: Options = {},
): Promise<ScaffoldedProgram> {
  const words = splitWords(text);
  if (words.length === 0)
    throw new UnderstudyError('SCAFFOLD_NO_PROGRAM', '--program names no program', {
      fix: 'Name the program and its arguments: --program "./review.sh main.c".',
    });
  const root = resolve(folder);
  const [program = ''] = words;
  const name = basename(words.findLast((word) => isFile(root, word)) ?? program).replace(/\.\w+$/, '') || 'program';
  const file = join(folder, `${name}.rehearsal.toml`);
  if (existsSync(file) && !force) {
    throw new UnderstudyError('SCAFFOLD_EXISTS', `${file} exists`, {
      fix: `Run it with: ${ownCommand()} run ${file}. To overwrite it, add --force.`,
    });
  }
  const command = words.map((word) => (isFile(root, word) ? resolve(root, word) : word));
  const first = await tryProgram(command);
  const second = await tryProgram(command);
  refuseUseless(words, first);
  const run = words.map((word) => (isFile(root, word) ? `${HERE}/${word.replace(/^\.\//, '')}` : word));
  writeWhole(file, textOf({ schema: schemaLine(file, version), name, run, first, second }), USER_FILE);
  const complaint = first.code === 0 ? undefined : first.stderr.trim().split('\n').at(-1);
  return { file, calls: first.calls, exitCode: first.code ?? 0, ...defined({ complaint }) };
}

function isFile(root: string, word: string): boolean {
  return !word.startsWith('-') && !word.startsWith('/') && /[./]/.test(word) && existsSync(join(root, word));
}

function refuseUseless(words: readonly string[], { calls, timedOut, code, stdout }: ProgramTry): void {
  const text = words.join(' ');
  if (timedOut || code === null) {
    throw new UnderstudyError('SCAFFOLD_PROGRAM_FAILED', `${text} did not end by itself within a minute`, {
      fix: `Give it a limit: the stand-ins say "${ANSWER}" to every prompt. For a loop: understudy orchestrator init "${text}".`,
    });
  }
  if (calls.length > 0) return;
  const said = stdout.trim().split('\n')[0] ?? '';
  throw new UnderstudyError(
    'SCAFFOLD_PROGRAM_FAILED',
    `${text} called no agent and no model (it ended with ${code}${said === '' ? '' : `, and said: ${said.slice(0, 200)}`})`,
    { fix: 'Give it the arguments with which it calls one: understudy init --program "./review.sh main.c".' },
  );
}

interface TextOptions {
  schema: string;
  name: string;
  run: readonly string[];
  first: ProgramTry;
  second: ProgramTry;
}

function textOf({ schema, name, run, first, second }: TextOptions): string {
  const agents = agentNames.filter((agent) => first.calls.some((call) => call.agent === agent));
  const isSteady = first.calls.length === second.calls.length;
  const prompts = first.calls.map(({ prompt }, index) => commonPart(prompt, second.calls[index]?.prompt ?? '', first));
  const patterns = [...new Set(prompts.map((prompt) => inline(patternOf(prompt))))];
  const line = stdoutLine(first, second);
  const call = first.calls.map(({ agent }, index) => ({ number: index + 1, agent, ...promptCheck(prompts[index]) }));
  return `${[
    schema,
    `# A first rehearsal of ${name.replace(/\p{Cc}+/gu, ' ')}: what it called in a trial with stand-ins that say "${ANSWER}" to every prompt.`,
    `name = ${quote(`${name} calls what it should`)}`,
    ...(agents.length === 0 ? [] : [`agents = ${inline(agents)}`]),
    `project = ${inline(PROGRAM_PROJECT)}`,
    ...patterns.flatMap((pattern) => ['', '[[responses]]', `pattern = ${pattern}`, `response = ${quote(ANSWER)}`]),
    '',
    '# Change an answer above, or add `failure = { type = "overloaded" }`, to see what the program makes of it.',
    '[[steps]]',
    `run = ${inline(run)}`,
    '[steps.expect]',
    `exit_code = ${first.code}`,
    ...(line === undefined ? [] : [`stdout = ${quote(line)}`]),
    ...(isSteady ? [`calls = { count = ${first.calls.length} }`, `call = ${inline(call)}`] : []),
  ].join('\n')}\n`;
}

/** What two runs have in common of a prompt: all of it, its first common line, or nothing. */
function commonPart(one: string, other: string, { folder }: ProgramTry): { exact?: string; line?: string } {
  if (one === other && !one.includes(folder)) return { exact: one };
  const lines = other.split('\n');
  return defined({
    line: one
      .split('\n')
      .find((text) => text.trim().length > 3 && lines.includes(text))
      ?.trim(),
  });
}

function patternOf({ exact, line }: { exact?: string; line?: string }): object {
  if (exact !== undefined && exact !== '') return { type: 'exact', text: exact };
  return line === undefined ? { type: 'any' } : { type: 'contains', text: line };
}

function promptCheck({ exact, line }: { exact?: string; line?: string } = {}): { prompt?: object } {
  if (exact !== undefined && exact !== '') return { prompt: { equals: exact } };
  return line === undefined ? {} : { prompt: { contains: line } };
}

function stdoutLine(first: ProgramTry, second: ProgramTry): string | undefined {
  const others = second.stdout.split('\n');
  return first.stdout
    .split('\n')
    .find((line) => line.trim().length > 3 && others.includes(line) && !line.includes(first.folder))
    ?.trim();
}
