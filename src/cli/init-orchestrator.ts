import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type AgentName, agentNames } from '@understudy/agents';
import {
  CONTRACT_ENDING,
  createScratch,
  defined,
  makeFolder,
  nearestWord,
  paint,
  runToEnd,
  scrubbedEnvironment,
  shellWord,
  UnderstudyError,
  USER_FILE,
  visibleOnOneLine,
  writeWhole,
} from '@understudy/kit';
import {
  type Answers,
  agentStates,
  contractEntries,
  contractPlayer,
  contractText,
  type Endings,
  learnEndings,
  loadContract,
  readHelp,
  runWords,
} from '@understudy/suites';
import { EXIT_FAILED } from './main.js';
import { print, printJson } from './output.js';
import { version } from './version.js';

export interface InitOrchestratorOptions {
  prompt?: string;
  iterations?: string;
  backend?: string;
  deadline?: string;
  promise?: string;
  agents?: string;
  force?: true;
  json?: true;
}

const HELP_DEADLINE_MS = 20_000;
const NO_ENDINGS: Endings = { complete: { exit_code: 0 } };

/** Writes a contract from the program's help, the user's answers, and two runs with stand-ins. */
export async function initOrchestrator(
  text: string,
  folder: string,
  options: InitOrchestratorOptions,
): Promise<number> {
  const command = commandOf(text, folder);
  const file = join(folder, `${nameOf(command)}${CONTRACT_ENDING}`);
  if (existsSync(file) && options.force !== true)
    throw new UnderstudyError('SCAFFOLD_EXISTS', `${file} exists`, {
      fix: `Run it with: understudy orchestrator test --contract ${shellWord(file)}. To overwrite it, add --force.`,
      location: { file },
    });
  const found = withOptions(readHelp(await helpOf(command, folder)), options);
  const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true && options.json !== true;
  const answers = interactive ? await askUser(found, options) : found;
  if (answers.prompt === undefined || answers.prompt.trim() === '')
    throw new UnderstudyError('SCAFFOLD_NO_PROMPT', `the help of ${command[0]} does not say how it gets its prompt`, {
      fix: 'Say it: --prompt "--task {{prompt}}", or --prompt "--file {{prompt_file}}".',
    });
  makeFolder(folder);
  const write = (endings: Endings) => {
    const run = runWords(command, answers);
    const promise = answers.promiseText ?? 'LOOP_COMPLETE';
    writeWhole(file, contractText({ agents: answers.agents, run, promise, ...endings }), USER_FILE);
    return loadContract(file);
  };
  const scratch = createScratch('init');
  try {
    const first = write(NO_ENDINGS);
    const contract = write(await learnEndings(first, scratch.path));
    const states = await agentStates(contract, 'sim', version);
    const context = { contract, stage: 'sim' as const, states, withBaselines: true };
    const connects = contractEntries(contract.agents.slice(0, 1), context).find(({ id }) => id.startsWith('connects@'));
    const played =
      connects &&
      (await contractPlayer(context).play(connects, {
        folder: join(scratch.path, 'connects'),
        signal: new AbortController().signal,
        onStep: () => {},
      }));
    const failed = played?.checks.filter(({ status }) => status !== 'passed') ?? [];
    const next = `understudy orchestrator test --contract ${shellWord(file)}`;
    if (options.json === true) printJson({ ok: failed.length === 0, file, run: contract.run, failed, next });
    else {
      print(`${paint.green('✓')} wrote ${file}`);
      print(paint.dim(contract.text.trimEnd().replace(/^/gm, '    ')));
      if (contract.stopped === undefined)
        print(`${paint.yellow('!')} its limit is not distinguished from a failure: add \`stopped\` where it is`);
      for (const { name, expected, actual, evidence } of failed) {
        print(`${paint.red('✗')} connects: ${name}\n    expected ${expected}\n    seen     ${actual}`);
        for (const line of evidence.join('\n').trim().split('\n').slice(-8)) print(paint.dim(`    | ${line}`));
      }
      if (failed.length === 0)
        print(`${paint.green('✓')} connects: the agent gets the prompt, and its answer is understood`);
      print(failed.length === 0 ? `\nNext: ${paint.bold(next)}` : `\nChange ${file}, then: ${paint.bold(next)}`);
    }
    return failed.length === 0 ? 0 : EXIT_FAILED;
  } finally {
    await scratch.remove();
  }
}

/** The words of a command. A path of this folder is written as one beside the contract. */
function commandOf(text: string, folder: string): string[] {
  const [program = '', ...rest] = text.trim().split(/\s+/);
  if (program === '')
    throw new UnderstudyError('SCAFFOLD_NO_PROGRAM', 'the command names no program', {
      fix: 'Name the program and its command: orchestrator init "ralph run".',
    });
  if (!program.includes('/') || program.startsWith('/')) return [program, ...rest];
  const beside = relative(resolve(folder), resolve(program));
  return [beside.startsWith('.') ? beside : `./${beside}`, ...rest];
}

function nameOf([program = '']: readonly string[]): string {
  return basename(program).replace(/\.\w+$/, '') || 'orchestrator';
}

async function helpOf(command: readonly string[], folder: string): Promise<string> {
  const [program = '', ...rest] = command;
  const scratch = createScratch('init-help');
  try {
    const { code, stdout, stderr } = await runToEnd({
      command: [program.startsWith('.') ? resolve(folder, program) : program, ...rest, '--help'],
      cwd: scratch.path,
      env: scrubbedEnvironment({ HOME: scratch.path, NO_COLOR: '1', COLUMNS: '200' }),
      deadlineMs: HELP_DEADLINE_MS,
    });
    if (code === 126 || code === 127) throw new Error(stderr);
    return `${stdout}\n${stderr}`;
  } catch (error) {
    throw new UnderstudyError('SCAFFOLD_NO_PROGRAM', `${command.join(' ')} cannot be started`, {
      fix: 'Check its path, or put it on PATH.',
      location: { file: program },
      cause: error,
    });
  } finally {
    await scratch.remove();
  }
}

function withOptions(found: Answers, { promise, agents, ...words }: InitOrchestratorOptions): Answers {
  const given = Object.entries({ ...words }).filter(([, value]) => typeof value === 'string');
  return {
    ...found,
    ...Object.fromEntries(given),
    ...defined({ promiseText: promise }),
    ...(agents === undefined ? {} : { agents: readAgents(agents) }),
  };
}

function readAgents(list: string): AgentName[] {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((name) => {
      const agent = agentNames.find((known) => known === name);
      if (agent !== undefined) return agent;
      const near = nearestWord(name, agentNames);
      throw new UnderstudyError('AGENT_UNKNOWN', `there is no agent named "${name}"`, {
        fix: near === undefined ? `Use one of ${agentNames.join(', ')}.` : `Did you mean "${near}"?`,
      });
    });
}

const QUESTIONS = {
  prompt: 'How does it get the prompt',
  backend: 'How does it get the agent',
  iterations: 'How does it get its limit of iterations',
  deadline: 'How does it get the time for an agent',
} as const;

/** Asks for each value that no flag gave. Enter takes what was found; a dash leaves it out. */
async function askUser(found: Answers, options: InitOrchestratorOptions): Promise<Answers> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // After Ctrl-D nobody answers any more: what was found is taken.
  const closed = new Promise<string>((settle) => terminal.once('close', () => settle('')));
  const ask = async (question: string, known: string | undefined) => {
    const answer = await Promise.race([terminal.question(`${question}? [${visibleOnOneLine(known ?? '-')}] `), closed]);
    return answer.trim() === '' ? known : answer.trim() === '-' ? undefined : answer.trim();
  };
  try {
    print('Enter takes what is in brackets, and - leaves it out.');
    const answers: Record<string, string | undefined> = {};
    for (const [name, question] of Object.entries(QUESTIONS)) {
      const key = name as keyof typeof QUESTIONS;
      answers[name] = options[key] === undefined ? await ask(question, found[key]) : found[key];
    }
    const agents =
      options.agents === undefined
        ? readAgents((await ask('Which agents can it use', found.agents.join(','))) ?? '')
        : [];
    const promiseText =
      options.promise === undefined
        ? await ask('What does the agent say when the work is done', found.promiseText ?? 'LOOP_COMPLETE')
        : found.promiseText;
    return { ...found, ...answers, agents: agents.length === 0 ? found.agents : agents, promiseText } as Answers;
  } finally {
    terminal.close();
  }
}
