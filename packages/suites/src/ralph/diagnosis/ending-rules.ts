import { type Explanation, LIKELY, lastLines, POSSIBLE, quote, SEEN } from '@understudy/verdict';
import type { ProgramContext } from '../../orchestrators/context-schema.js';
import type { FailedProgram, ProgramRule } from './failed-program.js';

/** No iteration was run where there should have been some. */
export const neverRan: ProgramRule = {
  type: 'UnexpectedTermination',
  explain({ context, iterations, expectedIterations }) {
    if (context === undefined || iterations.length > 0 || expectedIterations === 0) return undefined;
    const how = context.exit_code === null ? 'was killed' : `ended with exit code ${context.exit_code}`;
    return {
      hypothesis: `The orchestrator ${how} and left no record of an iteration: it stopped before it asked an agent, or it keeps its record elsewhere.`,
      evidence: [
        `the orchestrator ${how}; ${expectedIterations} iteration${expectedIterations === 1 ? ' was' : 's were'} expected, none is recorded`,
        ...endOfStream('stderr', context.stderr),
        ...endOfStream('stdout', context.stdout),
      ],
      investigations: [
        `Run it by hand in the workspace: ${context.command_line.split('\n').at(-1)}`,
        'Check whether .ralph/current-iterations exists and which file it names.',
      ],
      fixes: [],
    };
  },
};

function endOfStream(stream: string, text: string): string[] {
  return text.trim() === '' ? [`${stream} was empty`] : [`the end of ${stream}: ${quote(lastLines(text))}`];
}

/** The loop ended in another way than expected. */
export const endedOtherwise: ProgramRule = {
  type: 'UnexpectedTermination',
  explain(failed) {
    const { context, iterations } = failed;
    const endings = [...failed.about('exit_code'), ...failed.about('termination'), ...failed.about('iterations')];
    if (context === undefined || endings.length === 0) return undefined;
    if (failed.expectedIterations === 0 && iterations.length === 0) return commandFailed(context);
    const reason = context.termination_reason;
    const explanation = tooMany(failed) ?? wrongCode(failed) ?? explainReason(failed, reason);
    const counted = `the loop’s record: ${reason ?? 'no end'} after ${iterations.length} iteration(s)`;
    return { ...explanation, evidence: [counted, ...explanation.evidence] };
  },
};

function explainReason(failed: FailedProgram, reason: string | undefined): Explanation {
  if (reason === undefined) return noRecord(failed);
  return reason === 'completed' ? tooEarly(failed) : notCompleted(failed, reason);
}

/** More iterations than it may run. */
function tooMany(failed: FailedProgram): Explanation | undefined {
  const limit = failed.configured('event_loop', 'max_iterations');
  if (typeof limit !== 'number' || failed.iterations.length <= limit) return undefined;
  return {
    hypothesis: `The loop ran more iterations than max_iterations (${limit}) allows.`,
    evidence: [`ralph.yml has max_iterations: ${limit}`],
    investigations: ['Find out where the iterations are counted and compared with the limit.'],
    fixes: [
      {
        description: 'Stop when max_iterations are done, not one later',
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that checks its limits',
      },
    ],
  };
}

/** It ended as it should, by its own record, and its exit code says something else. */
function wrongCode(failed: FailedProgram): Explanation | undefined {
  const ended = failed.checks.find(({ subject }) => subject.kind === 'termination');
  const [code] = failed.about('exit_code');
  if (ended?.status !== 'passed' || code === undefined) return undefined;
  return {
    hypothesis: `The loop ended as it should (${ended.actual}), and its exit code does not say so.`,
    evidence: [`exit code ${code.actual} instead of ${code.subject.code}`],
    investigations: ['Find out which exit code belongs to which ending.'],
    fixes: [
      {
        description: `Exit with ${code.subject.code} when the loop ended: ${ended.actual}`,
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that turns its ending into an exit code',
      },
    ],
  };
}

/** A command that runs no loop, such as one about memories. */
function commandFailed(context: ProgramContext): Explanation {
  return {
    hypothesis: `A command of the orchestrator ended with exit code ${context.exit_code ?? 'none'}.`,
    evidence: [...endOfStream('stderr', context.stderr), ...endOfStream('stdout', context.stdout)],
    investigations: [`Run the commands by hand in the workspace: ${context.command_line.replaceAll('\n', ' && ')}`],
    fixes: [],
  };
}

function noRecord({ context, iterations }: FailedProgram): Explanation {
  const stderr = lastLines(context?.stderr ?? '');
  return {
    hypothesis: 'The orchestrator stopped without a record of its end: it crashed or was killed.',
    evidence: [
      `exit code: ${context?.exit_code ?? 'none'}`,
      ...(stderr === '' ? [] : [`the end of stderr: ${quote(stderr)}`]),
    ],
    investigations: [`Find out what happened in iteration ${iterations.length} and after it.`],
    fixes: [],
  };
}

/** It says that it is complete. Did the agent say so? */
function tooEarly({ iterations, promise }: FailedProgram): Explanation {
  const last = iterations.at(-1);
  const end =
    last === undefined ? [] : [`iteration ${last.iteration} ended with ${quote(lastLines(last.output ?? '', 1))}`];
  if (last?.promised === true) {
    return {
      hypothesis: `The agent said "${promise}" as its last line, so the loop was complete, but in another way than the case expects.`,
      evidence: end,
      investigations: ['Compare the prompt of each iteration with what the case expects of it.'],
      fixes: [],
    };
  }
  return {
    hypothesis: `The loop ended as complete, although the agent’s last line is not "${promise}".`,
    evidence: end,
    investigations: ['Find out what the orchestrator takes for the completion promise.'],
    fixes: [
      {
        description: 'Accept the promise only as the last line outside of events',
        confidence: LIKELY,
        file_to_modify: 'the part of the orchestrator that detects completion',
      },
    ],
  };
}

/** It reached a limit or gave up. Was there a promise that it missed? */
function notCompleted(failed: FailedProgram, reason: string): Explanation {
  const { promise, iterations } = failed;
  const kept = iterations.find((iteration) => iteration.failed !== true && iteration.promised);
  if (kept !== undefined) {
    return {
      hypothesis: `The agent said "${promise}" at the end of iteration ${kept.iteration}, and the loop did not complete.`,
      evidence: [`iteration ${kept.iteration} ended with ${quote(lastLines(kept.output ?? '', 1))}`],
      investigations: ['Find out whether limits are checked before completion.'],
      fixes: [
        {
          description: 'Look for the promise before the limits, in every iteration and in the last one',
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that detects completion',
        },
      ],
    };
  }
  const [expected] = failed.about('termination');
  if (expected !== undefined && expected.subject.reason !== 'completed') {
    return {
      hypothesis: `The loop should have ended (${expected.subject.reason}), and went on until: ${reason}.`,
      evidence: [],
      investigations: [
        `Find out what the orchestrator counts for ${expected.subject.reason}, and what it counted here.`,
      ],
      fixes: [],
    };
  }
  return unpromised(failed, reason);
}

/** The agent did not end with the promise. */
function unpromised({ promise, iterations }: FailedProgram, reason: string): Explanation {
  const decorated = iterations.find(({ output }) => isDecorated(lastLines(output ?? '', 1), promise));
  if (decorated !== undefined) {
    return {
      hypothesis: `Iteration ${decorated.iteration} ended with "${promise}" and marks around it, which the CLI may have added.`,
      evidence: [`iteration ${decorated.iteration} ended with ${quote(lastLines(decorated.output ?? '', 1))}`],
      investigations: ['Find out whether the CLI adds the marks, and whether the orchestrator removes them.'],
      fixes: [
        {
          description: 'Remove what the CLI adds around the agent’s words',
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
    investigations: ['Read in the prompts how the agent should end, and in the outputs what it did instead.'],
    fixes: [
      {
        description: 'Say in the prompt more clearly when the work is done and how the agent must end',
        confidence: POSSIBLE,
        file_to_modify: 'the part of the orchestrator that builds the prompt',
      },
    ],
  };
}

function isDecorated(line: string, promise: string): boolean {
  return line.trim() !== promise && line.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') === promise;
}

/** It did its work and said nothing about it. */
export const silentRun: ProgramRule = {
  type: 'AssertionMismatch',
  explain(failed) {
    const [silent] = failed.failures;
    if (silent?.name !== 'every run prints something' || failed.failures.length > 1) return undefined;
    return {
      hypothesis: `The orchestrator did its work and printed nothing (${silent.actual}): it cannot be followed.`,
      evidence: [],
      investigations: ['Find out where its output goes when it is not a terminal.'],
      fixes: [
        {
          description: 'Print each iteration and how the loop ended, also when the output is no terminal',
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that prints',
        },
      ],
    };
  },
};
