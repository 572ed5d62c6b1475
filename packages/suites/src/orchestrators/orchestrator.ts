import { resolve } from 'node:path';
import { executablesOnPath, isExecutable, runToEnd, scrubbedEnvironment, UnderstudyError } from '@understudy/kit';
import { type Dialect, dialectOf, referenceDialect } from '../ralph/dialect.js';
import type { CaseStep } from './case.js';

/** The program under test: a real Ralph, or the reference loop. */
export interface Orchestrator {
  kind: 'ralph' | 'reference';
  command: readonly string[];
  version: string;
  dialect: Dialect;
}

export interface OrchestratorChoice {
  /** `--ralph PATH`. */
  named?: string | undefined;
  /** `--loop`: the reference loop, whatever else there is. */
  loop?: boolean | undefined;
  environment?: NodeJS.ProcessEnv;
  /** How the reference loop is called. */
  reference: readonly string[];
  referenceVersion: string;
}

/** The named one, RALPH_BIN, or `ralph` on PATH. The reference loop must be asked for: a verdict on it says nothing of others. */
export async function findOrchestrator(choice: OrchestratorChoice): Promise<Orchestrator> {
  if (choice.loop === true) return referenceLoop(choice.reference, choice.referenceVersion);
  const environment = choice.environment ?? process.env;
  const told = choice.named ?? environment['RALPH_BIN'];
  const file = told === undefined || told === '' ? executablesOnPath('ralph', environment)[0] : resolve(told);
  if (file === undefined) {
    throw new UnderstudyError('SUITE_NO_ORCHESTRATOR', 'there is no orchestrator to test', {
      fix: 'Name a ralph with --ralph or RALPH_BIN, or put it on PATH. With --loop the reference loop is tested.',
    });
  }
  const answer = isExecutable(file)
    ? await runToEnd({
        command: [file, '--version'],
        cwd: '/',
        env: scrubbedEnvironment({}, environment),
        deadlineMs: 10_000,
      })
    : undefined;
  if (answer?.code !== 0) {
    throw new UnderstudyError('SUITE_NO_RALPH', `${file} does not answer to --version`, {
      fix: 'Name a ralph that works with --ralph or RALPH_BIN, or test the reference loop with --loop.',
    });
  }
  if (answer.stdout.trim() === '') {
    throw new UnderstudyError('SUITE_NO_VERSION', `${file} --version prints nothing`, {
      fix: 'Make it print its version: where it keeps its files depends on it.',
    });
  }
  const version = /\d+\.\d+\.\d+\S*/.exec(answer.stdout)?.[0] ?? answer.stdout.trim();
  if (answer.stdout.startsWith('understudy loop ')) return referenceLoop([file], version);
  return { kind: 'ralph', command: [file], version, dialect: dialectOf(version) };
}

/** The reference loop. Another build of it can be given with `--ralph`; its version says what it is. */
function referenceLoop(command: readonly string[], version: string): Orchestrator {
  return { kind: 'reference', command, version, dialect: referenceDialect };
}

/** The arguments of a step, as this orchestrator expects them. */
export function argumentsOf(step: CaseStep, dialect: Dialect): string[] {
  if ('run' in step) return ['run', '-c', 'ralph.yml', ...dialect.run, ...step.run];
  if ('emit' in step) return ['emit', ...step.emit];
  return ['tools', 'memory', ...step.memory];
}
