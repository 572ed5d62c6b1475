import { join } from 'node:path';
import { defined, makeFolder, scrubbedEnvironment, shellWord, shorten, UnderstudyError } from '@understudy/kit';
import { type Attempt, type EndedProgram, escapesOfProgram, ProgramRun } from '@understudy/stage';
import { type CheckResult, checkRunExpectations, type Place } from '@understudy/verdict';
import { within } from './expectations.js';
import type { Rehearsal } from './load.js';
import { ProgramStart } from './program-start.js';
import { readableNextToRehearsal } from './readable-next-to.js';
import type { RehearseOptions } from './rehearse-options.js';
import type { AroundStep } from './run-schema.js';
import type { Services } from './services.js';

/** What programs before or after the steps did. */
export interface AroundResult {
  checks: CheckResult[];
  /** What they tried outside of their sandbox. */
  attempts: (Attempt & { by: string })[];
}

const DEFAULT_TIMEOUT_MS = 180_000;

/** Runs `[[before]]` or `[[after]]` in the project: no agents are in place, and nothing outside is reached. */
export async function runAround(
  part: 'before' | 'after',
  rehearsal: Rehearsal,
  options: RehearseOptions,
  { services, place }: { services: Services; place: Place },
): Promise<AroundResult> {
  const result: AroundResult = { checks: [], attempts: [] };
  const steps = rehearsal.document[part] ?? [];
  if (steps.length === 0) return result;
  const { folder, stage, isolation: requested } = options;
  const [project, home] = [join(folder, 'project'), join(folder, 'home')];
  makeFolder(home);
  const environment = scrubbedEnvironment({ HOME: home, ...services.variables });
  const programs = await ProgramRun.around(
    { environment: () => environment, close: async () => {} },
    {
      ...{ stage, ownTemp: true },
      isolation: {
        ...{ requested, urls: services.urls, network: stage === 'live' ? 'host' : 'own' },
        ...{ writable: [project, home], readable: readableNextToRehearsal(rehearsal) },
      },
    },
  );
  const start = new ProgramStart(rehearsal, project, services.values);
  try {
    for (const [index, step] of steps.entries()) {
      const { env, path, ...program } = start.of(step);
      const run = await programs.run(index + 1, {
        ...{ ...program, env: { ...env, ...defined({ PATH: path }) } },
        stdin: step.stdin === undefined ? undefined : start.fill(step.stdin),
        timeoutMs: step.timeout_ms ?? rehearsal.document.timeout_ms ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        interrupted: options.signal,
      });
      const { hosts, attempts } = programs.tried();
      const name = `${part} ${index + 1}`;
      result.attempts.push(...escapesOfProgram(attempts).map((attempt) => ({ ...attempt, by: name })));
      const seen = { run, events: [], calls: [], reached: hosts, unsupported: [] };
      const checks = checkRunExpectations(seen, {}, within(place, part, index));
      options.signal?.throwIfAborted();
      if (part === 'before') throwIfFailed(checks, step, run, name);
      result.checks.push(...checks.map((check) => ({ ...check, name: `${name}: ${check.name}` })));
    }
    return result;
  } finally {
    await programs.close();
  }
}

/** Without what comes before, the steps would prove nothing: that is no failure of what is under test. */
function throwIfFailed(checks: readonly CheckResult[], step: AroundStep, run: EndedProgram, name: string): void {
  const failed = checks.find(({ status }) => status !== 'passed');
  if (failed === undefined) return;
  const { name: own = typeof step.run === 'string' ? step.run : step.run.map(shellWord).join(' ') } = step;
  const printed = [run.stdout, run.stderr].filter((text) => text.trim() !== '').join('\n');
  const output = printed === '' ? 'it printed nothing' : `it printed:\n${shorten(printed.trimEnd(), LONGEST)}`;
  throw new UnderstudyError(
    'BEFORE_FAILED',
    `${name} (${shorten(own, 200)}): expected ${failed.expected}, seen ${failed.actual}; ${output}`,
    { fix: 'Correct it; the steps were not played.' },
  );
}

const LONGEST = 4000;
