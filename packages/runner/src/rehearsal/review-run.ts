import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { agentNames, parseAgentSpec } from '@understudy/agents';
import { defined, nearestWord, UnderstudyError, type UnlocatedProblem } from '@understudy/kit';
import { protocolNames } from '@understudy/model';
import { type Check, reviewRunExpectation } from '@understudy/verdict';
import { reviewEnvironment } from './agent-environment.js';
import type { RunStep } from './run-schema.js';
import { isRunStep, type RehearsalDocument, sendStepsOf } from './schema.js';

/** Mistakes in steps that run programs. */
export function reviewRuns(document: RehearsalDocument, file: string, own: readonly Check[]): UnlocatedProblem[] {
  const runs = document.steps.flatMap((step, index) => (isRunStep(step) ? [{ step, index }] : []));
  return [
    ...reviewPlacedAgents(document, runs.length > 0),
    ...(runs.length > 0 && sendStepsOf(document).length === 0 ? reviewWithoutConversation(document) : []),
    ...reviewRetries(document, runs.length > 0),
    ...runs.flatMap(({ step, index }) => reviewStep(step, index, document, file, own)),
  ];
}

function reviewPlacedAgents({ agents = [] }: RehearsalDocument, hasRuns: boolean): UnlocatedProblem[] {
  const unknown = agents.flatMap((spec, index): UnlocatedProblem[] => {
    try {
      parseAgentSpec(spec);
      return [];
    } catch (error) {
      if (!(error instanceof UnderstudyError)) throw error;
      const near = nearestWord(spec, agentNames);
      const fix = near === undefined ? error.fix : `Did you mean "${near}"?`;
      return [{ code: error.code, message: error.message, ...defined({ fix }), path: ['agents', index] }];
    }
  });
  if (hasRuns || agents.length === 0) return unknown;
  const message = '`agents` are for the programs of `run` steps, and there is no such step';
  return [...unknown, { code: 'NO_EFFECT', message, fix: 'Use `agent` for `send` steps.', path: ['agents'] }];
}

function reviewRetries({ retries, stage }: RehearsalDocument, hasRuns: boolean): UnlocatedProblem[] {
  if (retries === undefined || hasRuns || stage === 'live') return [];
  const message = '`retries` are for programs and real models: a script gives the same result every time';
  return [{ code: 'NO_EFFECT', message, fix: 'Remove it; on the stage live, use --retries.', path: ['retries'] }];
}

/** What only a conversation has. */
function reviewWithoutConversation(document: RehearsalDocument): UnlocatedProblem[] {
  const fields = (
    ['model', 'plugins', 'settings', 'managed_settings', 'workflow', 'mcp', 'start', 'end'] as const
  ).filter((name) => document[name] !== undefined);
  return fields.map((name) => ({
    code: 'NO_EFFECT',
    message: `\`${name}\` belongs to the conversation of \`send\` steps, and there is no such step`,
    fix: 'Remove it, or add a step with `send`.',
    path: [name],
  }));
}

function reviewStep(
  step: RunStep,
  index: number,
  document: RehearsalDocument,
  file: string,
  own: readonly Check[],
): UnlocatedProblem[] {
  const path = ['steps', index];
  const { signal, env, expect } = step;
  const findings: UnlocatedProblem[] = [...reviewProgram(step, index, document, file)];
  if (env !== undefined) {
    const problems = reviewEnvironment({ ...document, env }, file);
    findings.push(...problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })));
  }
  if (signal !== undefined && signal.after_ms === undefined && signal.after_call === undefined) {
    const message = '`signal` does not say when it is sent';
    findings.push({
      code: 'MISSING_FIELD',
      message,
      fix: 'Add `after_ms` or `after_call`.',
      path: [...path, 'signal'],
    });
  }
  if (expect !== undefined) {
    const agents = document.agents ?? [document.agent ?? 'claude'].flat();
    findings.push(...reviewRunExpectation(expect, [...path, 'expect'], { agents, protocols: protocolNames }, own));
  }
  return findings;
}

/** A program that is neither in the project nor beside the rehearsal. Earlier steps and templates may make one. */
function reviewProgram(
  { run, cwd }: RunStep,
  index: number,
  { project, env }: RehearsalDocument,
  file: string,
): UnlocatedProblem[] {
  const program = typeof run === 'string' ? undefined : run[0];
  if (program === undefined || !/^\.{1,2}\//.test(program) || index > 0 || project?.type !== undefined) return [];
  if (env?.['PATH'] !== undefined || program.includes('{{')) return [];
  const here = dirname(file);
  const inFiles = Object.keys(project?.files ?? {}).some(
    (name) => resolve('/', name) === resolve('/', cwd ?? '.', program),
  );
  const inFolder = project?.path !== undefined && existsSync(resolve(here, project.path, cwd ?? '.', program));
  if (inFiles || inFolder || existsSync(resolve(here, program))) return [];
  return [
    {
      code: 'FILE_NOT_FOUND',
      message: `there is no program ${program}, neither in the project nor beside the rehearsal`,
      fix: 'Check the path, or copy it into the project with `project.path` or `project.files`.',
      path: ['steps', index, 'run', 0],
    },
  ];
}
