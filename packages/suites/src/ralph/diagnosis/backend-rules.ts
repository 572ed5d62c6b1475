import { LIKELY, lastLines, linesFrom, POSSIBLE, quote, SEEN } from '@understudy/verdict';
import type { ProgramIteration } from '../../orchestrators/context-schema.js';
import type { FailedProgram, ProgramRule } from './failed-program.js';

const CONFIG_REFUSED = new RegExp(
  [
    'LOOP_CONFIG_',
    '\\b(?:invalid|failed to (?:parse|load|read)|cannot (?:parse|load|read)|unknown field|missing field)\\b.*\\b(?:config\\w*|ralph\\.ya?ml)\\b',
    '\\b(?:config\\w*|ralph\\.ya?ml)\\b.*\\b(?:invalid|validation failed|unknown field|missing field|cannot be (?:read|parsed))\\b',
  ].join('|'),
  'i',
);

/** The configuration was refused, and nothing ran. */
export const configurationError: ProgramRule = {
  type: 'ConfigurationError',
  explain({ context, iterations }) {
    if (context === undefined || iterations.length > 0 || context.exit_code === 0) return undefined;
    const said = linesFrom(`${context.stderr}\n${context.stdout}`, CONFIG_REFUSED, 4);
    if (said === undefined) return undefined;
    return {
      hypothesis: 'The orchestrator refused its configuration and ran no iteration.',
      evidence: [`it said: ${quote(said)}`],
      investigations: ['Compare the ralph.yml of this case with the fields that this version of the orchestrator has.'],
      fixes: [
        {
          description: 'Accept the setting that the message names, as other versions do',
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that reads ralph.yml',
          suggested_change: said.trim(),
        },
      ],
    };
  },
};

const REFUSED =
  /invalid (?:x-)?api[ _-]?key|failed to authenticate|authentication[ _](?:error|failed)|access ?denied|\bunauthori[sz]ed\b|not (?:logged|signed) in|please (?:log|sign) in|\b401\b/i;

/** The service did not accept the credentials. Only what a failed agent said counts: others may write about errors. */
export const authenticationError: ProgramRule = {
  type: 'AuthenticationError',
  explain(failed) {
    const { context, iterations, result } = failed;
    const texts = iterations.flatMap(({ iteration, failed: broken, stderr = '', output = '' }) =>
      broken === true ? [{ where: `iteration ${iteration}`, text: `${stderr}\n${output}` }] : [],
    );
    if (iterations.length === 0 && context !== undefined && context.exit_code !== 0)
      texts.push({ where: 'the orchestrator', text: context.stderr });
    const found = texts.flatMap(({ where, text }) => {
      const line = linesFrom(text, REFUSED);
      return line === undefined || failed.expects(line.trim()) ? [] : [`${where} said: ${quote(line)}`];
    });
    if (found.length === 0) return undefined;
    return {
      hypothesis: `The credentials of ${result.agent} were refused, so the agent never did its work.`,
      evidence: found,
      investigations: [`Sign in to ${result.agent} with its own command and run the case again.`],
      fixes: [{ description: `Give ${result.agent} credentials that its service accepts`, confidence: SEEN }],
    };
  },
};

/** Endings that come from agents which did not work. */
const GAVE_UP = ['consecutive_failures', 'backend_unavailable'];

/** The agent's CLI failed, and the loop did not recover. */
export const backendError: ProgramRule = {
  type: 'BackendError',
  explain(failed) {
    const { context, iterations, result } = failed;
    if (context === undefined || expectsFailure(failed)) return undefined;
    const killed = iterations.find(({ failed: broken, exit_code: code }) => broken === true && code === null);
    const last = killed ?? iterations.at(-1);
    const reason = context.termination_reason;
    if (last?.failed !== true && !GAVE_UP.includes(reason ?? '')) return undefined;
    const missing = reason === 'backend_unavailable';
    const agent = last?.backend ?? result.agent;
    return {
      hypothesis: missing
        ? `The CLI of ${agent} could not be started.`
        : killed !== undefined
          ? `${agent} was killed in iteration ${killed.iteration}, before it could do its work.`
          : `${agent} failed${last === undefined ? '' : ` in iteration ${last.iteration}`}, and the loop ended before an iteration succeeded.`,
      evidence: [
        ...(reason === undefined ? [] : [`the loop ended: ${reason}`]),
        ...iterations.filter((iteration) => iteration.failed === true).map(describeFailedIteration),
      ],
      investigations: last === undefined ? [] : [`Run the agent by itself: ${last.command}`],
      fixes: [
        missing
          ? { description: 'Install the CLI, and put it on PATH', confidence: LIKELY }
          : {
              description: 'Call the CLI with arguments that its version accepts',
              confidence: POSSIBLE,
              file_to_modify: 'the part of the orchestrator that builds the command line of this backend',
            },
      ],
    };
  },
};

/** A case that expects another exit code than 0 is about failing. */
function expectsFailure({ checks }: FailedProgram): boolean {
  return checks.some(({ subject }) => subject.kind === 'exit_code' && subject.code !== 0);
}

function describeFailedIteration({ iteration, backend, exit_code: code, stderr, output }: ProgramIteration): string {
  const said = lastLines(stderr ?? '') || lastLines(output ?? '');
  const end = code === null ? 'was killed' : `ended with exit code ${code ?? 'none'}`;
  return `iteration ${iteration}: ${backend} ${end}${said === '' ? ' and said nothing' : ` and said ${quote(said)}`}`;
}

/** It took too long: the harness ended it, or it ended itself at a limit that nobody expected to be reached. */
export const timeoutExceeded: ProgramRule = {
  type: 'TimeoutExceeded',
  explain(failed) {
    const { context, iterations } = failed;
    const limited = context?.termination_reason === 'max_runtime' && failed.about('termination').length > 0;
    if (context === undefined || (!context.timed_out && !limited)) return undefined;
    const running = iterations.find((one) => one.exit_code === undefined) ?? endedByHarness(failed);
    const limit = failed.configured('event_loop', 'max_runtime_seconds');
    return {
      hypothesis: limited ? 'The loop reached its own time limit.' : describeHang(failed, running, limit),
      evidence: [
        limited ? 'the loop ended: max_runtime' : 'the harness ended the whole process group at its deadline',
        ...(running === undefined
          ? []
          : [`iteration ${running.iteration} (${running.hat ?? 'hat not recorded'}) started and did not end`]),
        ...(typeof limit === 'number' ? [`ralph.yml has max_runtime_seconds: ${limit}`] : []),
        ...(context.stdout.trim() === '' ? [] : [`the last lines of stdout: ${quote(lastLines(context.stdout))}`]),
      ],
      investigations: [
        running === undefined
          ? 'Find out what the orchestrator does after its last iteration.'
          : `Run the agent by itself and see whether it ends: ${running.command}`,
      ],
      fixes: [timeFix(limited, limit)],
    };
  },
};

/** The last agent, if it was killed together with the orchestrator. */
function endedByHarness({ context, iterations }: FailedProgram): ProgramIteration | undefined {
  const last = iterations.at(-1);
  return context?.timed_out === true && last?.exit_code === null ? last : undefined;
}

function describeHang(
  { context, iterations }: FailedProgram,
  running: ProgramIteration | undefined,
  limit: unknown,
): string {
  if (running === undefined) {
    const last = iterations.at(-1);
    const done = context?.termination_reason === 'completed' || (last?.promised === true && last.exit_code === 0);
    return done
      ? 'The orchestrator completed its work and then did not end: every agent had ended.'
      : 'The orchestrator did not end, although no iteration was running.';
  }
  const ignored = typeof limit === 'number' ? `, and the loop’s own limit of ${limit} s did not end it` : '';
  return `The agent of iteration ${running.iteration} did not end${ignored}.`;
}

function timeFix(limited: boolean, limit: unknown) {
  if (limited)
    return {
      description: 'Find out what takes so long: the case allows more time than its work needs',
      confidence: POSSIBLE,
      file_to_modify: 'the part of the orchestrator that waits for the agent',
    };
  if (typeof limit === 'number')
    return {
      description: 'End the agent, with everything that it started, when max_runtime_seconds are over',
      confidence: LIKELY,
      file_to_modify: 'the part of the orchestrator that waits for the agent',
    };
  return {
    description: 'End when the work is done, whatever is still open',
    confidence: POSSIBLE,
    file_to_modify: 'the part of the orchestrator that ends the loop',
  };
}
