import { defined, field, nearestWord, type Path, renamedField, required, type UnlocatedProblem } from '@understudy/kit';
import type { StageTransition, WorkflowProgress } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, givenAt, type KnownStages } from './define-check.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedWorkflowStage {
  /** The workflow stage before the turn, with or without its iteration. */
  from?: string | undefined;
  /** The workflow stage after it, with or without its iteration: `capturing`, `capturing-iteration-2`. */
  to: string;
  /** Accept a move that skips workflow stages and is therefore not valid. */
  allow_skip?: boolean | undefined;
  /** How many moves the turn must have: exactly one, or at least one; by default it may also stay. */
  moves?: 'one' | 'some' | undefined;
}

/** Whether the turn led from one stage of the workflow to another, as the definition allows. */
export function checkWorkflowStage(
  progress: WorkflowProgress | undefined,
  turn: number,
  expected: ExpectedWorkflowStage,
): CheckResult {
  const { from, to, allow_skip = false, moves: wantedMoves } = expected;
  const base = {
    name: 'workflow',
    category: 'workflow' as const,
    subject: { kind: 'workflow' as const, ...defined({ from }), to },
    expected: from === undefined ? to : `${from} → ${to}`,
  };
  if (progress === undefined) {
    return {
      ...base,
      status: 'unjudged',
      actual: 'no workflow is followed',
      evidence: [],
      suggestion: 'Name a workflow when the conversation starts.',
    };
  }
  const moves = progress.transitions.filter((move) => move.turn === turn);
  const refused = progress.invalid.filter((move) => move.turn === turn);
  const before = stageBefore(progress, turn);
  const skipped = allow_skip && refused.some((move) => isStage(label(move), to));
  const arrived = isStage(progress.label, to) || skipped;
  const moved = wantedMoves === undefined || skipped || (wantedMoves === 'one' ? moves.length === 1 : moves.length > 0);
  const passed = arrived && moved && (from === undefined || isStage(before, from));
  const path = [before, ...moves.map((move) => label(move))].join(' → ');
  return {
    ...base,
    status: statusOf(passed),
    actual: moves.length === 0 ? `it stayed in ${progress.label}` : path,
    evidence: [...moves.map(describe), ...refused.map((move) => move.problem ?? describe(move))],
    ...(passed ? {} : { suggestion: suggestion(refused, moves, progress) }),
  };
}

/** Whether a workflow stage is the wanted one. Without an iteration, `exploring` means any of its iterations. */
export function isStage(label: string, wanted: string): boolean {
  const seen = parseStage(label);
  const asked = parseStage(wanted);
  return seen.name === asked.name && (asked.iteration === undefined || asked.iteration === (seen.iteration ?? 1));
}

/** The name of a workflow stage and its iteration: `capturing-iteration-2`. */
export function parseStage(label: string): { name: string; iteration?: number } {
  const found = /^(.+)-iteration-(\d+)$/.exec(label.toLowerCase());
  return found === null ? { name: label.toLowerCase() } : { name: found[1] ?? '', iteration: Number(found[2]) };
}

function stageBefore({ transitions, label: now }: WorkflowProgress, turn: number): string {
  const first = transitions.findIndex((move) => move.turn === turn);
  const move = transitions[first];
  return move === undefined ? now : labelOf(move.from, transitions[first - 1]?.iteration ?? 1);
}

function label({ to, iteration }: StageTransition): string {
  return labelOf(to, iteration);
}

function labelOf(stage: string, iteration: number): string {
  return iteration > 1 ? `${stage}-iteration-${iteration}` : stage;
}

function describe({ from, to, trigger }: StageTransition): string {
  return `${from} → ${to} by ${trigger}`;
}

function suggestion(
  refused: readonly StageTransition[],
  moves: readonly StageTransition[],
  progress: WorkflowProgress,
): string {
  const [first] = refused;
  if (first?.problem !== undefined) return first.problem;
  if (moves.length > 0) return `the turn moved ${moves.map(describe).join(', then ')}`;
  return `the workflow stage is ${progress.label}; this turn had nothing that would move it on`;
}

export const workflow = defineCheck({
  fields: {
    workflow: field(
      'Where the workflow is after the turn, or its move in this turn.',
      z.union([
        z.string(),
        z.strictObject({
          from: field('The stage before the turn.', z.string()),
          to: required('The stage after the turn.', z.string()),
          allow_skip: field('true accepts a move that skips stages.', z.boolean()),
        }),
      ]),
    ),
    stage: renamedField('workflow'),
  },
  scopes: ['step'],
  page: 'workflows.md',
  judge: (seen, { workflow }, place) =>
    givenAt(place)(['workflow'], workflow, (move) => [
      checkWorkflowStage(seen.workflow, seen.number, typeof move === 'string' ? { to: move } : move),
    ]),
  review: ({ workflow }, { stages }) => (workflow === undefined ? [] : reviewStages(workflow, stages)),
});

function reviewStages(
  workflow: string | { from?: string | undefined; to: string },
  stages: KnownStages,
): UnlocatedProblem[] {
  if (stages === 'unknown') return [];
  if (stages === 'none') {
    const message = '`workflow` in `expect` needs a workflow, and the rehearsal names none';
    const fix = 'Add `workflow = "agent-loop"`, or the path of a workflow file, at the top of the rehearsal.';
    return [{ code: 'MISSING_FIELD', message, fix, path: ['workflow'] }];
  }
  const named: [string | undefined, Path][] =
    typeof workflow === 'string'
      ? [[workflow, ['workflow']]]
      : [
          [workflow.from, ['workflow', 'from']],
          [workflow.to, ['workflow', 'to']],
        ];
  return named.flatMap(([name, path]): UnlocatedProblem[] => {
    if (name === undefined || stages.includes(name.replace(/-iteration-\d+$/, ''))) return [];
    const near = nearestWord(name, stages);
    const fix = near === undefined ? `Use one of its stages: ${stages.join(', ')}.` : `Did you mean "${near}"?`;
    return [{ code: 'WORKFLOW_STAGE_UNKNOWN', message: `the workflow has no stage "${name}"`, fix, path }];
  });
}
