import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined, type Environment, makeFolder, shellWord, UnderstudyError } from '@understudy/kit';
import {
  type BackendName,
  createConsole,
  EventLog,
  Loop,
  type LoopConfig,
  loadConfig,
  parseConfig,
} from '@understudy/suites';
import { EXIT_FAILED, EXIT_INTERRUPTED } from './main.js';
import { print, printError } from './output.js';

export interface LoopRunOptions {
  config?: string;
  prompt?: string;
  promptFile?: string;
  maxIterations?: number;
  completionPromise?: string;
  backend?: BackendName;
  continue?: true;
  dryRun?: true;
  verbose?: true;
  quiet?: true;
}

/** Runs the loop in the current folder. As in Ralph, an error is 1, and 2 means that a limit was reached. */
export async function runLoopCommand(backendArgs: readonly string[], options: LoopRunOptions): Promise<number> {
  const root = process.cwd();
  try {
    if (backendArgs.length > 0 && !process.argv.includes('--')) {
      throw new UnderstudyError('BAD_FLAG', `\`${backendArgs[0]}\` is not an option of the loop`, {
        fix: 'Give arguments for the backend after --, and the objective after -p.',
      });
    }
    const config = readConfig(root, options);
    const objective = readObjective(root, config, options);
    if (options.continue && !existsSync(resolve(root, config.core.scratchpad))) {
      throw new UnderstudyError('LOOP_NOTHING_TO_CONTINUE', `there is no scratchpad ${config.core.scratchpad}`, {
        fix: 'Run without --continue to start from the beginning.',
      });
    }
    if (options.dryRun) return describe(config, objective);
    return await run(root, config, objective, backendArgs, options);
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    printError(error);
    return EXIT_FAILED;
  }
}

async function run(
  root: string,
  config: LoopConfig,
  objective: string,
  backendArgs: readonly string[],
  options: LoopRunOptions,
): Promise<number> {
  const interrupted = new AbortController();
  const onSignal = () => {
    // A second signal ends at once. The reaper process removes what is left.
    if (interrupted.signal.aborted) process.exit(EXIT_INTERRUPTED);
    interrupted.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const console = createConsole(print, options);
  for (const section of config.ignored) console.warns(`this loop ignores the section \`${section}\``);
  const loop = new Loop({
    root,
    config,
    objective,
    resume: options.continue ?? false,
    backendArgs,
    env: process.env as Environment,
    program: writeProgram(root),
    interrupted: interrupted.signal,
    console,
  });
  try {
    return await loop.run();
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** `understudy orchestrator loop emit`: writes an event, for agents and test harnesses. */
export function emitEvent(topic: string, payload: string): number {
  const root = process.env['RALPH_WORKSPACE_ROOT'] ?? process.cwd();
  const log = EventLog.current(root, process.env['RALPH_EVENTS_FILE']);
  log.append({ topic, payload, ts: new Date().toISOString() });
  print(`emitted ${topic}`);
  return 0;
}

function readConfig(root: string, options: LoopRunOptions): LoopConfig {
  const usual = join(root, 'ralph.yml');
  const file = options.config ?? (existsSync(usual) ? usual : undefined);
  const config = file === undefined ? parseConfig('') : loadConfig(file);
  const promise = options.completionPromise?.trim();
  if (promise === '')
    throw new UnderstudyError('BAD_FLAG', 'the completion promise is empty', {
      fix: 'Give --completion-promise a text.',
    });
  return {
    ...config,
    event_loop: {
      ...config.event_loop,
      ...defined({ completion_promise: promise, max_iterations: options.maxIterations }),
    },
    ...(options.backend === undefined || options.backend === config.backend.name
      ? {}
      : { backend: { name: options.backend, args: [] } }),
  };
}

function readObjective(root: string, config: LoopConfig, options: LoopRunOptions): string {
  if (options.prompt !== undefined) return options.prompt;
  if (options.promptFile === undefined && config.event_loop.prompt !== undefined) return config.event_loop.prompt;
  const file = options.promptFile ?? config.event_loop.prompt_file;
  const path = resolve(root, file);
  if (!existsSync(path)) {
    throw new UnderstudyError('LOOP_NO_OBJECTIVE', `the loop has no objective: ${file} does not exist`, {
      fix: 'Give one with -p, in a file with -P, or as event_loop.prompt.',
    });
  }
  return readFileSync(path, 'utf8').trim();
}

function describe(config: LoopConfig, objective: string): number {
  print(`objective   ${objective.split('\n')[0]}`);
  print(`backend     ${config.backend.name}`);
  print(`promise     ${config.event_loop.completion_promise}`);
  print(`iterations  at most ${config.event_loop.max_iterations}`);
  for (const hat of config.hats)
    print(`hat         ${hat.name}: ${hat.triggers.join(', ')} → ${hat.publishes.join(', ')}`);
  return 0;
}

/** Writes a `ralph` that starts this program, so that agents can call it. */
function writeProgram(root: string): string {
  const folder = resolve(root, '.ralph/bin');
  makeFolder(folder);
  const file = join(folder, 'ralph');
  // `loop` of the program that is nothing else, `orchestrator loop` of the whole one.
  const [, own = '', ...words] = process.argv;
  const program = [process.execPath, own, ...words.slice(0, words.indexOf('loop') + 1)].map(shellWord).join(' ');
  writeFileSync(file, `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}
