import type { ReportedContext } from '../../results/schema.js';
import { lastLines, quote } from '../quote.js';
import type { FailedCase } from './failed-case.js';
import { type Explanation, LIKELY, POSSIBLE, type Rule, SEEN } from './rule.js';

/** No iteration was run where there should have been some. */
export const neverRan: Rule = {
  type: 'UnexpectedTermination',
  explain({ context, iterations, expectedIterations }) {
    if (context === undefined || iterations.length > 0 || expectedIterations === 0) return undefined;
    const how = context.exit_code === null ? 'was killed' : `ended with exit code ${context.exit_code}`;
    return {
      hypothesis: `The orchestrator ${how} and left no record of an iteration: it stopped before it asked an agent, or it keeps its record elsewhere.`,
      evidence: [
        `the orchestrator ${how}; ${expectedIterations} iteration${expectedIterations === 1 ? ' was' : 's were'} expected, none is recorded`,
        ...saidBy('stderr', context.stderr),
        ...saidBy('stdout', context.stdout),
      ],
      investigations: [
        `Run it by hand in the workspace: ${context.command_line.split('\n').at(-1)}`,
        'See whether .ralph/current-iterations is there and which file it names.',
      ],
      fixes: [],
    };
  },
};

function saidBy(stream: string, text: string): string[] {
  return text.trim() === '' ? [`${stream} was empty`] : [`the end of ${stream}: ${quote(lastLines(text))}`];
}

/** The loop ended otherwise than it should. */
export const endedOtherwise: Rule = {
  type: 'UnexpectedTermination',
  explain(failed) {
    if (failed.context === undefined) return undefined;
    if (failed.of('ExitCode', 'TerminationReason', 'IterationCount').length === 0) return undefined;
    if (failed.expectedIterations === 0 && failed.iterations.length === 0) return commandFailed(failed.context);
    const reason = failed.context.termination_reason;
    const explanation =
      tooMany(failed) ??
      wrongCode(failed) ??
      (reason === undefined
        ? noRecord(failed)
        : reason === 'completed'
          ? tooEarly(failed)
          : notCompleted(failed, reason));
    const counted = `the loop’s record: ${reason ?? 'no end'} after ${failed.iterations.length} iteration(s)`;
    return { ...explanation, evidence: [counted, ...explanation.evidence] };
  },
};

/** More iterations than it may run. */
function tooMany(failed: FailedCase): Explanation | undefined {
  const limit = failed.configured('event_loop', 'max_iterations');
  if (typeof limit !== 'number' || failed.iterations.length <= limit) return undefined;
  return {
    hypothesis: `The loop ran more iterations than max_iterations (${limit}) allows.`,
    evidence: [`ralph.yml has max_iterations: ${limit}`],
    investigations: ['See where the iterations are counted and compared with the limit.'],
    fixes: [
      {
        description: 'Stop when max_iterations are done, not one later',
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that looks at its limits',
      },
    ],
  };
}

/** It ended as it should, by its own record, and tells its caller otherwise. */
function wrongCode(failed: FailedCase): Explanation | undefined {
  const ended = failed.result.assertions.find(({ category }) => category === 'TerminationReason');
  const [code] = failed.of('ExitCode');
  if (ended?.passed !== true || code === undefined) return undefined;
  return {
    hypothesis: `The loop ended as it should (${ended.actual}), and its exit code does not say so.`,
    evidence: [`exit code ${code.actual} in place of ${code.expected}`],
    investigations: ['See which exit code belongs to which ending.'],
    fixes: [
      {
        description: `Exit with ${code.expected} when the loop ended: ${ended.actual}`,
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that turns its ending into an exit code',
      },
    ],
  };
}

/** A command that runs no loop, such as one about memories. */
function commandFailed(context: ReportedContext): Explanation {
  return {
    hypothesis: `A command of the orchestrator ended with exit code ${context.exit_code ?? 'none'}.`,
    evidence: [...saidBy('stderr', context.stderr), ...saidBy('stdout', context.stdout)],
    investigations: [`Run the commands by hand in the workspace: ${context.command_line.replaceAll('\n', ' && ')}`],
    fixes: [],
  };
}

function noRecord({ context, iterations }: FailedCase): Explanation {
  const stderr = lastLines(context?.stderr ?? '');
  return {
    hypothesis: 'The orchestrator stopped without a record of its end: it crashed or was killed.',
    evidence: [
      `exit code: ${context?.exit_code ?? 'none'}`,
      ...(stderr === '' ? [] : [`the end of stderr: ${quote(stderr)}`]),
    ],
    investigations: [`See what happened in iteration ${iterations.length} and after it.`],
    fixes: [],
  };
}

/** It says that it is complete. Did the agent say so? */
function tooEarly(failed: FailedCase): Explanation {
  const last = failed.iterations.at(-1);
  const kept = last !== undefined && failed.promised(last);
  const end =
    last === undefined ? [] : [`iteration ${last.iteration} ended with ${quote(lastLines(last.output ?? '', 1))}`];
  if (kept) {
    return {
      hypothesis: `The agent said "${failed.promise}" as its last line, so the loop was complete, only otherwise than the case expects.`,
      evidence: end,
      investigations: ['Compare what each iteration was told with what the case expects of it.'],
      fixes: [],
    };
  }
  return {
    hypothesis: `The loop took itself for complete, although the last line that the agent wrote is not "${failed.promise}".`,
    evidence: end,
    investigations: ['See what the orchestrator takes for the completion promise.'],
    fixes: [
      {
        description: 'Accept the promise only as the last line outside events',
        confidence: LIKELY,
        file_to_modify: 'the part of the orchestrator that detects completion',
      },
    ],
  };
}

/** It ran into a limit or gave up. Was there a promise that it missed? */
function notCompleted(failed: FailedCase, reason: string): Explanation {
  const { promise, iterations } = failed;
  const kept = iterations.find((iteration) => iteration.failed !== true && failed.promised(iteration));
  if (kept !== undefined) {
    return {
      hypothesis: `The agent said "${promise}" at the end of iteration ${kept.iteration}, and the loop did not take it for completion.`,
      evidence: [`iteration ${kept.iteration} ended with ${quote(lastLines(kept.output ?? '', 1))}`],
      investigations: ['See whether limits are looked at before completion.'],
      fixes: [
        {
          description: 'Look for the promise before the limits, in every iteration and the last one',
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that detects completion',
        },
      ],
    };
  }
  const [wanted] = failed.of('TerminationReason');
  if (wanted !== undefined && wanted.expected !== 'completed') {
    return {
      hypothesis: `The loop should have ended (${wanted.expected}), and went on until: ${reason}.`,
      evidence: [],
      investigations: [`See what the orchestrator counts towards ${wanted.expected}, and what it saw of that.`],
      fixes: [],
    };
  }
  return unpromised(failed, reason);
}

/** The agent did not end as it was to. */
function unpromised({ promise, iterations }: FailedCase, reason: string): Explanation {
  const decorated = iterations.find(({ output }) => isDecorated(lastLines(output ?? '', 1), promise));
  if (decorated !== undefined) {
    return {
      hypothesis: `Iteration ${decorated.iteration} ended with "${promise}" and marks around it, which are not the agent’s words or should not be there.`,
      evidence: [`iteration ${decorated.iteration} ended with ${quote(lastLines(decorated.output ?? '', 1))}`],
      investigations: ['See whether the CLI puts the marks there, and whether the orchestrator takes them off.'],
      fixes: [
        {
          description: 'Take off what the CLI puts around the agent’s words',
          confidence: LIKELY,
          file_to_modify: 'the part of the orchestrator that reads the agent’s output',
        },
      ],
    };
  }
  const mentioned = iterations.filter(({ output }) => output?.includes(promise));
  return {
    hypothesis:
      mentioned.length > 0
        ? `The agent wrote "${promise}", but never as its last line, so the loop went on until: ${reason}.`
        : `The agent never said "${promise}", and the loop ended because of: ${reason}.`,
    evidence: mentioned.map(({ iteration, output }) => `iteration ${iteration} said ${quote(output ?? '')}`),
    investigations: [
      'See in the prompts whether the agent was told how to end, and in the outputs what it did instead.',
    ],
    fixes: [
      {
        description: 'Say more clearly when the work is done and how the agent must end',
        confidence: POSSIBLE,
        file_to_modify: 'PROMPT.md',
      },
    ],
  };
}

function isDecorated(line: string, promise: string): boolean {
  return line.trim() !== promise && line.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') === promise;
}
