import type { StageTransition, WorkflowProgress } from '../conversation/workflow/progress.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedWorkflowStage {
  /** The workflow stage before the turn. */
  from?: string | undefined;
  /** The workflow stage after it, with or without its iteration: `capturing`, `capturing-iteration-2`. */
  to: string;
  /** Accept a move that skips workflow stages and is therefore not valid. */
  allow_skip?: boolean | undefined;
}

/** Whether the turn led from one stage of the workflow to another, as the definition allows. */
export function checkWorkflowStage(
  progress: WorkflowProgress | undefined,
  turn: number,
  expected: ExpectedWorkflowStage,
): CheckResult {
  const { from, to, allow_skip = false } = expected;
  const base = {
    name: 'workflow',
    category: 'workflow' as const,
    subject: { kind: 'workflow' as const, ...(from === undefined ? {} : { from }), to },
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
  const before = moves[0]?.from ?? progress.stage;
  const skipped = allow_skip ? refused.find((move) => move.to === to) : undefined;
  const arrived = progress.stage === to || progress.label === to || skipped !== undefined;
  const passed = arrived && (from === undefined || same(before, from));
  const path = [before, ...moves.map((move) => label(move))].join(' → ');
  return {
    ...base,
    status: statusOf(passed),
    actual: moves.length === 0 ? `it stayed in ${progress.label}` : path,
    evidence: [...moves.map(describe), ...refused.map((move) => move.problem ?? describe(move))],
    ...(passed ? {} : { suggestion: suggestion(refused, progress) }),
  };
}

function same(seen: string, wanted: string): boolean {
  return seen === wanted || wanted.replace(/-iteration-\d+$/, '') === seen;
}

function label({ to, iteration }: StageTransition): string {
  return iteration > 1 ? `${to}-iteration-${iteration}` : to;
}

function describe({ from, to, trigger }: StageTransition): string {
  return `${from} → ${to} by ${trigger}`;
}

function suggestion(refused: readonly StageTransition[], progress: WorkflowProgress): string {
  const [first] = refused;
  if (first?.problem !== undefined) return first.problem;
  return `the workflow stage is ${progress.label}; this turn had nothing that would move it on`;
}
