import {
  defined,
  InvalidDocumentError,
  locateProblems,
  nearestWord,
  parseSource,
  readSource,
  type Source,
  UnderstudyError,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import { RefusedPattern } from '@understudy/script';
import { builtInWorkflows } from './built-in-workflows.js';
import { type TriggerDocument, type WorkflowDocument, workflowSchema } from './schema.js';
import { type CompiledTrigger, compileTrigger } from './trigger.js';

export interface WorkflowTransition {
  from: readonly string[];
  to: string;
  on: readonly CompiledTrigger[];
}

export interface WorkflowStage {
  name: string;
  description?: string;
  actions: { name: string; on: readonly CompiledTrigger[] }[];
}

/** A workflow that can be followed. */
export interface Workflow {
  document: WorkflowDocument;
  name: string;
  initial: string;
  final: readonly string[];
  stages: readonly WorkflowStage[];
  transitions: readonly WorkflowTransition[];
  iterations?: { stage: string; max?: number };
  file?: string;
}

/** Takes a workflow that comes with us by its name, a file by its path, or a document. */
export function loadWorkflow(from: string | WorkflowDocument): Workflow {
  if (typeof from !== 'string') return toWorkflow({ value: structuredClone(from) });
  const builtIn = Object.hasOwn(builtInWorkflows, from) ? builtInWorkflows[from] : undefined;
  if (builtIn !== undefined) return toWorkflow(parseSource(builtIn, 'toml'));
  if (!/[./\\]/.test(from)) {
    const known = Object.keys(builtInWorkflows);
    const near = nearestWord(from, known);
    throw new UnderstudyError('WORKFLOW_UNKNOWN', `there is no workflow named "${from}"`, {
      fix:
        near === undefined ? `Use one of ${known.join(', ')}, or the path of a TOML file.` : `Did you mean "${near}"?`,
    });
  }
  return toWorkflow(readSource(from));
}

/** Takes a parsed document. Throws with all of its problems. */
export function toWorkflow(source: Source): Workflow {
  const { value: document, findings } = validate(workflowSchema, source.value);
  if (document === undefined) throw invalid(source, findings);
  const wrong = [...reviewNames(document), ...reviewPatterns(document)];
  if (wrong.length > 0) throw invalid(source, wrong);
  return {
    document,
    name: document.name,
    initial: document.initial,
    final: document.final ?? [],
    stages: document.stages.map(({ name, description, actions = [] }) => ({
      name,
      ...defined({ description }),
      actions: actions.map((action) => ({ name: action.name, on: asList(action.on).map(compileTrigger) })),
    })),
    transitions: document.transitions.map(({ from, to, on }) => ({
      from: asList(from),
      to,
      on: asList(on).map(compileTrigger),
    })),
    ...(document.iterations === undefined
      ? {}
      : {
          iterations: {
            stage: document.iterations.stage,
            ...defined({ max: document.iterations.max }),
          },
        }),
    ...defined({ file: source.file }),
  };
}

function asList<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}

function invalid(source: Source, findings: readonly UnlocatedProblem[]): InvalidDocumentError {
  return new InvalidDocumentError('WORKFLOW_INVALID', source.file ?? 'the workflow', locateProblems(source, findings));
}

function reviewNames(document: WorkflowDocument): UnlocatedProblem[] {
  const names = document.stages.map(({ name }) => name);
  const findings: UnlocatedProblem[] = [];
  const check = (name: string, path: UnlocatedProblem['path']) => {
    if (name === '*' || names.includes(name)) return;
    const near = nearestWord(name, names);
    findings.push({
      code: 'WORKFLOW_STAGE_UNKNOWN',
      message: `there is no stage named "${name}"`,
      fix: near === undefined ? `the stages are ${names.join(', ')}` : `did you mean "${near}"?`,
      path,
    });
  };
  names.forEach((name, index) => {
    if (names.indexOf(name) === index) return;
    findings.push({
      code: 'WORKFLOW_DOUBLE_STAGE',
      message: `"${name}" is there twice`,
      path: ['stages', index, 'name'],
    });
  });
  check(document.initial, ['initial']);
  for (const [index, name] of (document.final ?? []).entries()) check(name, ['final', index]);
  if (document.iterations !== undefined) check(document.iterations.stage, ['iterations', 'stage']);
  document.transitions.forEach(({ from, to }, index) => {
    for (const name of asList(from)) check(name, ['transitions', index, 'from']);
    check(to, ['transitions', index, 'to']);
  });
  const reached = reachable(document);
  names.forEach((name, index) => {
    if (reached.has(name)) return;
    findings.push({
      code: 'WORKFLOW_UNREACHABLE',
      message: `no transition leads to "${name}"`,
      fix: `Add a [[transitions]] with to = "${name}", or remove the stage.`,
      path: ['stages', index, 'name'],
    });
  });
  return findings;
}

function reachable(document: WorkflowDocument): Set<string> {
  const reached = new Set([document.initial]);
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { from, to } of document.transitions) {
      if (asList(from).some((name) => name === '*' || reached.has(name))) reached.add(to);
    }
  }
  return reached;
}

function reviewPatterns(document: WorkflowDocument): UnlocatedProblem[] {
  const triggers: { on: TriggerDocument | TriggerDocument[]; path: UnlocatedProblem['path'] }[] = [
    ...document.transitions.map(({ on }, index) => ({ on, path: ['transitions', index, 'on'] })),
    ...document.stages.flatMap(({ actions = [] }, stage) =>
      actions.map(({ on }, index) => ({ on, path: ['stages', stage, 'actions', index, 'on'] })),
    ),
  ];
  return triggers.flatMap(({ on, path }) =>
    asList(on).flatMap((trigger): UnlocatedProblem[] => {
      if (Object.keys(trigger).length === 0) {
        return [{ code: 'WORKFLOW_EMPTY_TRIGGER', message: 'no event says what moves here', path }];
      }
      try {
        compileTrigger(trigger);
        return [];
      } catch (error) {
        if (!(error instanceof RefusedPattern)) throw error;
        return [{ code: 'PATTERN_REFUSED', message: error.message, path }];
      }
    }),
  );
}
