import { nearestWord, UnderstudyError } from '@understudy/kit';
import { type Conversation, loadWorkflow, type Workflow } from '@understudy/stage';
import { type CheckResult, checkWorkflowStage, hasPassed, isStage, parseStage, statusOf } from '@understudy/verdict';

export interface ExpectedTransition {
  from: string;
  to: string;
  actual: string;
  /** Accept a way over other stages. */
  allowSkip?: boolean;
  /** Its definition says which moves there are. */
  workflow?: string;
  /** The move must have been seen in one turn of this conversation. */
  conversation?: Pick<Conversation, 'workflow' | 'workflowAfter'> & { turns: readonly { number: number }[] };
}

/** Whether somebody went from one workflow stage to another, and whether the definition has this move. */
export function checkTransition(expected: ExpectedTransition): CheckResult & { valid: boolean } {
  const { from, to, actual, workflow, conversation } = expected;
  const seen = conversation === undefined ? undefined : seenMove(conversation, expected);
  const problems = [
    ...(isStage(actual, to) ? [] : [`the stage is "${actual}"`]),
    ...(from.toLowerCase() === to.toLowerCase() ? [`from ${from} to ${to} is no move`] : []),
    ...(workflow === undefined ? [] : definitionProblems(loadWorkflow(workflow), expected)),
    ...(seen === undefined || hasPassed(seen) ? [] : [`the conversation did not go there: ${seen.actual}`]),
  ];
  const passed = problems.length === 0;
  return {
    name: 'workflow transition',
    category: 'workflow',
    subject: { kind: 'workflow', from, to },
    status: statusOf(passed),
    expected: `${from} -> ${to}`,
    actual: passed ? `the stage "${actual}"` : problems.join('; '),
    evidence: seen?.evidence ?? [],
    ...(passed
      ? {}
      : { suggestion: seen?.suggestion ?? 'Look at what moves the workflow on, and whether the agent did it.' }),
    valid: passed,
  };
}

/** The check of a rehearsal, for the turn that made the move; else for the last turn. */
function seenMove(
  conversation: NonNullable<ExpectedTransition['conversation']>,
  { from, to, allowSkip = false }: ExpectedTransition,
): CheckResult {
  const check = (turn: number) =>
    checkWorkflowStage(conversation.workflowAfter(turn), turn, {
      ...{ from, to, allow_skip: allowSkip },
      moves: allowSkip ? 'some' : 'one',
    });
  const { transitions = [], invalid = [] } = conversation.workflow ?? {};
  const turns = new Set([...transitions, ...invalid].map(({ turn }) => turn));
  const last = conversation.turns.at(-1)?.number ?? 0;
  return [...turns].map(check).findLast(hasPassed) ?? check(last);
}

function definitionProblems(workflow: Workflow, { from, to, allowSkip = false }: ExpectedTransition): string[] {
  const wrong = [from, to].flatMap((label) => stageProblems(workflow, label));
  if (wrong.length > 0) return wrong;
  const [start, end] = [parseStage(from).name, parseStage(to).name];
  if (nextStages(workflow, [start]).includes(end)) return [];
  if (!leadsTo(workflow, start, end)) return [`${workflow.name} does not lead from ${from} to ${to}`];
  return allowSkip
    ? []
    : [`${workflow.name} has no direct move from ${from} to ${to} (allow_skip accepts a longer way)`];
}

function stageProblems({ name: workflow, stages, iterations }: Workflow, label: string): string[] {
  const { name, iteration = 1 } = parseStage(label);
  const names = stages.map((stage) => stage.name.toLowerCase());
  if (!names.includes(name)) {
    const near = nearestWord(name, names);
    throw new UnderstudyError('WORKFLOW_STAGE_UNKNOWN', `the workflow ${workflow} has no stage "${name}"`, {
      fix: near === undefined ? `Its stages are ${names.join(', ')}.` : `Did you mean "${near}"?`,
    });
  }
  const most = iterations === undefined ? 1 : (iterations.max ?? Number.POSITIVE_INFINITY);
  return iteration > most ? [`${workflow} has no ${label}: ${most} is its last iteration`] : [];
}

function nextStages({ transitions }: Workflow, reached: readonly string[]): string[] {
  return transitions
    .filter((move) => move.from.some((stage) => stage === '*' || reached.includes(stage.toLowerCase())))
    .map((move) => move.to.toLowerCase());
}

function leadsTo(workflow: Workflow, from: string, to: string): boolean {
  const seen = new Set<string>();
  let reached = [from];
  while (reached.length > 0) {
    const next = nextStages(workflow, reached).filter((stage) => !seen.has(stage));
    if (next.includes(to)) return true;
    for (const stage of next) seen.add(stage);
    reached = next;
  }
  return false;
}
