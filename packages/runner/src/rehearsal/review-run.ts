import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { agentNames, parseAgentSpec } from '@understudy/agents';
import { countOf, defined, nearestWord, type Path, UnderstudyError, type UnlocatedProblem } from '@understudy/kit';
import { protocolNames } from '@understudy/model';
import { RefusedPattern } from '@understudy/script';
import { readJsonPath, reviewExpectation, type TextExpectation, textConditions } from '@understudy/verdict';
import { reviewEnvironment } from './agent-environment.js';
import type { CallExpectation, RunExpectation, RunStep } from './run-schema.js';
import { isRunStep, type RehearsalDocument, sendStepsOf } from './schema.js';

/** The agents that a program can call. */
type Placed = Pick<RehearsalDocument, 'agent' | 'agents'>;

/** Mistakes in steps that run programs. */
export function reviewRuns(document: RehearsalDocument, file: string): UnlocatedProblem[] {
  const runs = document.steps.flatMap((step, index) => (isRunStep(step) ? [{ step, index }] : []));
  return [
    ...reviewPlacedAgents(document, runs.length > 0),
    ...(runs.length > 0 && sendStepsOf(document).length === 0 ? reviewWithoutConversation(document) : []),
    ...runs.flatMap(({ step, index }) => reviewStep(step, index, document, file)),
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

/** What only a conversation has. */
function reviewWithoutConversation(document: RehearsalDocument): UnlocatedProblem[] {
  const fields = (['plugins', 'workflow', 'mcp', 'start', 'end'] as const).filter(
    (name) => document[name] !== undefined,
  );
  return fields.map((name) => ({
    code: 'NO_EFFECT',
    message: `\`${name}\` belongs to the conversation of \`send\` steps, and there is no such step`,
    fix: 'Remove it, or add a step with `send`.',
    path: [name],
  }));
}

function reviewStep(step: RunStep, index: number, document: RehearsalDocument, file: string): UnlocatedProblem[] {
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
  if (expect !== undefined) findings.push(...reviewRunExpectation(expect, [...path, 'expect'], document));
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

/** Mistakes in what is expected of a program, given the agents in place for it. */
export function reviewRunExpectation(expect: RunExpectation, path: Path, document: Placed): UnlocatedProblem[] {
  const { exit_code, signal, calls, call = [], time, stdout, stderr, files, commits, screen } = expect;
  const findings: UnlocatedProblem[] = [
    ...reviewExpectation({ files, commits, screen }, path, 'none'),
    ...reviewText(stdout, [...path, 'stdout']),
    ...reviewText(stderr, [...path, 'stderr']),
  ];
  if (exit_code !== undefined && signal !== undefined) {
    findings.push(contradiction('a program ends with a code or by a signal, not both', [...path, 'signal']));
  }
  if (time !== undefined && Object.keys(time).length === 0) findings.push(nothing('time', [...path, 'time']));
  if (calls !== undefined) {
    const at = [...path, 'calls'];
    if (Object.keys(calls).length === 0) findings.push(nothing('calls', at));
    const { count, min, max, agent, order = [] } = calls;
    if (count !== undefined && (min !== undefined || max !== undefined)) {
      findings.push(contradiction('`count` is exact, so `min` and `max` add nothing', at));
    }
    if (min !== undefined && max !== undefined && min > max)
      findings.push(contradiction('`min` is more than `max`', at));
    if (agent !== undefined)
      for (const name of [agent].flat()) findings.push(...reviewAgentName(name, document, [...at, 'agent']));
    for (const [index, one] of order.entries()) {
      const { agent: named, prompt } = typeof one === 'string' ? { agent: one, prompt: undefined } : one;
      if (named !== undefined) findings.push(...reviewAgentName(named, document, [...at, 'order', index]));
      findings.push(...reviewText(prompt, [...at, 'order', index, 'prompt']));
    }
  }
  for (const [index, one] of call.entries())
    findings.push(...reviewCall(one, [...path, 'call', index], document, calls));
  return findings;
}

function reviewCall(
  expect: CallExpectation,
  path: Path,
  document: Placed,
  calls: RunExpectation['calls'],
): UnlocatedProblem[] {
  const { number, agent, prompt, args, stdin, stdout, stderr, exit_code, signal, ...turn } = expect;
  const findings: UnlocatedProblem[] = [
    ...reviewExpectation(turn, path, 'none'),
    ...(agent === undefined ? [] : reviewAgentName(agent, document, [...path, 'agent'])),
    ...Object.entries({ prompt, stdin, stdout, stderr }).flatMap(([name, text]) => reviewText(text, [...path, name])),
  ];
  if (number === 0) {
    findings.push({
      code: 'INVALID_VALUE',
      message: '`number` counts from 1; -1 is the last call',
      fix: 'Write a number from 1, or leave it out: then every call is checked.',
      path: [...path, 'number'],
    });
  }
  if (number !== undefined && calls?.count !== undefined && Math.abs(number) > calls.count) {
    findings.push(
      contradiction(
        `there ${calls.count === 1 ? 'is' : 'are'} ${countOf(calls.count, 'call')} by \`calls.count\`, so there is no call ${number}`,
        [...path, 'number'],
      ),
    );
  }
  if (exit_code !== undefined && signal !== undefined) {
    findings.push(contradiction('a call ends with a code or by a signal, not both', [...path, 'signal']));
  }
  const asked = Object.keys(expect).some((name) => name !== 'number');
  if (!asked || (args !== undefined && Object.keys(args).length === 0)) {
    findings.push(nothing(args === undefined ? 'call' : 'args', path));
  }
  return findings;
}

function reviewAgentName(name: string, { agents, agent }: Placed, path: Path): UnlocatedProblem[] {
  const placed = (agents ?? [agent ?? 'claude'].flat()).map((spec) => spec.split('@')[0] ?? spec);
  const known: readonly string[] = [...placed, ...protocolNames];
  if (known.includes(name)) return [];
  const near = nearestWord(name, known);
  const isAgent = (agentNames as readonly string[]).includes(name);
  return [
    {
      code: 'AGENT_UNKNOWN',
      message: isAgent ? `${name} is not among the \`agents\` of the rehearsal` : `there is no agent named "${name}"`,
      fix: isAgent
        ? `Add "${name}" to \`agents\`, or expect one of ${placed.join(', ')}.`
        : near === undefined
          ? `Use one of ${known.join(', ')}.`
          : `Did you mean "${near}"?`,
      path,
    },
  ];
}

function reviewText(expected: TextExpectation | undefined, path: Path): UnlocatedProblem[] {
  if (expected === undefined) return [];
  const paths = typeof expected === 'object' && 'json' in expected ? Object.keys(expected.json ?? {}) : [];
  const wrong = paths.filter((one) => readJsonPath(one) === undefined);
  if (wrong.length > 0) {
    const message = `\`${wrong[0]}\` is not a path into a JSON document`;
    const fix = 'Write names and indexes: calls[0].agent, or ["a key"] for other names.';
    return [{ code: 'INVALID_VALUE', message, fix, path: [...path, 'json'] }];
  }
  try {
    return textConditions(expected).length === 0 ? [nothing(String(path.at(-1)), path)] : [];
  } catch (error) {
    if (!(error instanceof RefusedPattern)) throw error;
    const message = `this regular expression cannot be used: ${error.message}`;
    return [{ code: 'PATTERN_REFUSED', message, fix: 'Rewrite it.', path }];
  }
}

function contradiction(message: string, path: Path): UnlocatedProblem {
  return { code: 'CONTRADICTION', message, fix: 'Keep one of the two.', path };
}

function nothing(name: string, path: Path): UnlocatedProblem {
  const message = `\`${name}\` asks for nothing, so it could never fail`;
  return { code: 'EXPECTS_NOTHING', message, fix: 'Say what must hold, or remove it.', path };
}
