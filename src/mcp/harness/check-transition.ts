import { type CheckResult, statusOf } from '../../checks/result.js';
import type { WorkflowProgress } from '../../conversation/workflow/progress.js';
import { loadWorkflow } from '../../conversation/workflow/workflow.js';
import { nearestWord } from '../../document/nearest.js';
import { UnderstudyError } from '../../errors.js';

export interface ExpectedTransition {
  from: string;
  to: string;
  actual: string;
  /** Its definition says which moves there are. */
  workflow?: string;
  /** A conversation in which the move must have been seen. */
  followed?: WorkflowProgress | undefined;
}

/** Whether somebody went from one stage to another, and whether that was allowed. */
export function checkTransition(expected: ExpectedTransition): CheckResult & { valid: boolean } {
  const { from, to, actual } = expected;
  const arrived = same(actual, to);
  const problems = [
    ...(arrived ? [] : [`the stage is "${actual}"`]),
    ...(expected.workflow === undefined ? [] : definitionProblems(expected.workflow, from, to)),
    ...('followed' in expected ? seenProblems(expected.followed, from, to) : []),
  ];
  const passed = problems.length === 0;
  return {
    name: 'workflow transition',
    category: 'workflow',
    subject: { kind: 'workflow', from, to },
    status: statusOf(passed),
    expected: `${from} -> ${to}`,
    actual: passed ? `the stage "${actual}"` : problems.join('; '),
    evidence: (expected.followed?.transitions ?? []).map(
      ({ from: before, to: after, trigger, turn }) => `turn ${turn}: ${before} -> ${after} by ${trigger}`,
    ),
    ...(passed ? {} : { suggestion: 'Look at what moves the workflow on, and whether the agent did it.' }),
    valid: passed,
  };
}

function definitionProblems(name: string, from: string, to: string): string[] {
  const workflow = loadWorkflow(name);
  const stages = workflow.stages.map((stage) => stage.name);
  for (const stage of [from, to].map(plain)) {
    if (stages.includes(stage)) continue;
    const near = nearestWord(stage, stages);
    throw new UnderstudyError('WORKFLOW_STAGE_UNKNOWN', `the workflow ${workflow.name} has no stage "${stage}"`, {
      fix: near === undefined ? `Its stages are ${stages.join(', ')}.` : `Did you mean "${near}"?`,
    });
  }
  if (leadsTo(workflow.transitions, plain(from), plain(to))) return [];
  return [`${workflow.name} does not lead from ${from} to ${to}`];
}

/** A turn may pass through stages: what counts is that a way exists. */
function leadsTo(moves: readonly { from: readonly string[]; to: string }[], from: string, to: string): boolean {
  const seen = new Set<string>();
  let reached = [from];
  while (reached.length > 0) {
    const next = moves
      .filter((move) => move.from.includes('*') || move.from.some((stage) => reached.includes(stage)))
      .map((move) => move.to)
      .filter((stage) => !seen.has(stage));
    if (next.includes(to)) return true;
    for (const stage of next) seen.add(stage);
    reached = next;
  }
  return false;
}

function seenProblems(followed: WorkflowProgress | undefined, from: string, to: string): string[] {
  if (followed === undefined) return ['the conversation follows no workflow'];
  const { transitions } = followed;
  const start = transitions.findIndex((move) => same(move.from, from));
  const seen = start >= 0 && transitions.slice(start).some((move) => same(move.to, to));
  return seen ? [] : [`the conversation did not go from ${from} to ${to}`];
}

function plain(stage: string): string {
  return stage.toLowerCase().replace(/-iteration-\d+$/, '');
}

function same(seen: string, wanted: string): boolean {
  return seen.toLowerCase() === wanted.toLowerCase() || plain(seen) === wanted.toLowerCase();
}
