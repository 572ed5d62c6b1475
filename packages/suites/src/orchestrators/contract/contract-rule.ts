import { LIKELY, lastLines, quote, SEEN } from '@understudy/verdict';
import type { FailedProgram, ProgramRule } from '../../ralph/diagnosis/failed-program.js';
import type { ProgramIteration } from '../context-schema.js';

/** What is wrong, in which part of the orchestrator, and how sure that is. */
interface Blame {
  hypothesis: string;
  part: string;
  fix: string;
  confidence: number;
}

/** An orchestrator by contract did not do what a generic case asks: what our own record of its calls shows about it. */
export const contractBroken: ProgramRule = {
  type: 'UnexpectedTermination',
  explain(failed) {
    const { context, iterations } = failed;
    if (context?.contract === undefined || failed.failures.length === 0) return undefined;
    const found = didNotEnd(failed) ?? leftBehind(failed) ?? wrongCalls(failed) ?? wrongEnding(failed);
    const { hypothesis, part, fix, confidence } = found ?? {
      hypothesis: `The orchestrator did not keep to what "${failed.result.description}" asks for.`,
      part: 'the part of the orchestrator that calls the agent',
      fix: 'Look at the failed checks',
      confidence: LIKELY,
    };
    return {
      hypothesis,
      evidence: [
        ...iterations.map(describeCall),
        ...[context.stderr, context.stdout].flatMap((text) =>
          text.trim() === '' ? [] : [`the orchestrator said: ${quote(lastLines(text))}`],
        ),
        ...(`${context.stdout}${context.stderr}`.trim() === '' ? ['the orchestrator printed nothing'] : []),
      ],
      investigations: [`Run it by hand in the workspace: ${context.command_line.split('\n').at(-1)}`],
      fixes: [{ description: fix, confidence, file_to_modify: part }],
    };
  },
};

/** It was ended by the harness: because of an agent that was still running, or although all had ended. */
function didNotEnd({ context, iterations }: FailedProgram): Blame | undefined {
  if (context?.timed_out !== true) return undefined;
  const last = iterations.at(-1);
  const hangs = last?.exit_code === undefined && last !== undefined;
  if (hangs)
    return {
      hypothesis: `The agent of call ${last.iteration} was still running, and the orchestrator did not end it.`,
      part: 'the part of the orchestrator that waits for the agent',
      fix: 'End the agent, with everything that it started, at the deadline and at a signal',
      confidence: LIKELY,
    };
  const done = last?.promised === true && last.exit_code === 0;
  const after =
    last === undefined
      ? 'no agent was called'
      : iterations.length === 1
        ? 'its only call had ended'
        : `all ${iterations.length} calls had ended`;
  return {
    hypothesis: done
      ? `The orchestrator did not end after call ${last.iteration}, in which the agent gave the promise and ended with exit code 0.`
      : `The orchestrator did not end, although ${after}.`,
    part: 'the part of the orchestrator that ends the loop',
    fix: done ? 'Exit when the promise was given' : 'Exit when no agent is left to be called',
    confidence: SEEN,
  };
}

function leftBehind(failed: FailedProgram): Blame | undefined {
  const [left] = failed.about('processes');
  if (left === undefined) return undefined;
  return {
    hypothesis: `The orchestrator ended and left processes behind: ${left.actual}.`,
    part: 'the part of the orchestrator that starts and ends processes',
    fix: 'End all processes, and wait for them, before the orchestrator ends',
    confidence: SEEN,
  };
}

function wrongCalls(failed: FailedProgram): Blame | undefined {
  const [wrong] = failed.about('calls');
  if (wrong === undefined) return undefined;
  const { iterations } = failed;
  const killed = iterations.find(({ exit_code: code, failed: bad }) => bad === true && (code ?? null) === null);
  const broken = killed ?? iterations.find((call) => call.failed === true);
  const blame = (hypothesis: string, fix: string): Blame => ({
    hypothesis: `${hypothesis} (expected ${wrong.expected}; seen ${wrong.actual}).`,
    part: 'the part of the orchestrator that decides about the next call',
    fix,
    confidence: LIKELY,
  });
  if (iterations.length === 0) return blame('The orchestrator called no agent', 'Start the agent that was asked for');
  if (broken !== undefined && broken === iterations.at(-1))
    return blame(
      `The agent of call ${broken.iteration} ${killed === undefined ? `failed with exit code ${broken.exit_code}` : 'was killed'}, and the orchestrator did not call it again`,
      'Start the agent again after a failure, or say in the contract that it does not',
    );
  const promised = iterations.findIndex((call) => call.promised && call.exit_code === 0);
  if (promised !== -1 && promised < iterations.length - 1)
    return blame(
      `The agent gave the promise in call ${promised + 1}, and the orchestrator called it again`,
      'Read the last line of the agent’s whole answer, and stop when it is the promise',
    );
  if (promised === -1 && failed.context?.termination_reason === 'complete')
    return blame(
      'The orchestrator said complete, and no agent had given the promise',
      'Look for the promise only in the agent’s own answer',
    );
  return blame('The orchestrator called its agents otherwise than it must', 'Look at the failed checks');
}

function wrongEnding(failed: FailedProgram): Blame | undefined {
  const [wrong] = failed.about('termination');
  if (wrong === undefined) return undefined;
  const { iterations } = failed;
  const last = iterations.at(-1);
  const early = wrong.actual.startsWith('complete') && last?.promised !== true;
  // It called as often as it must: so it did not stop at something that it took for the promise.
  const counted = failed.checks.some(({ subject, status }) => subject.kind === 'calls' && status === 'passed');
  if (!early || counted)
    return {
      hypothesis: `The calls are as they must be, and the orchestrator says: ${wrong.actual} instead of ${wrong.subject.reason}.`,
      part: 'the part of the orchestrator that turns its ending into an exit code',
      fix: `Say ${wrong.subject.reason}, as the contract describes it`,
      confidence: early ? LIKELY : SEEN,
    };
  return {
    hypothesis: `The orchestrator says complete, and ${iterations.length === 0 ? 'called no agent' : 'no agent gave the promise'}.`,
    part: 'the part of the orchestrator that looks for the promise',
    fix: 'Say complete only after the promise',
    confidence: LIKELY,
  };
}

function describeCall({ iteration, backend, exit_code: code, duration_ms: took, promised }: ProgramIteration): string {
  const end =
    code === undefined ? 'has no end in the record' : code === null ? 'was killed' : `ended with exit code ${code}`;
  return `call ${iteration}: ${backend} ${end}${took === undefined ? '' : ` after ${took} ms`}${promised ? ', and gave the promise' : ''}`;
}
