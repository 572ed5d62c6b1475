import { lastLines, linesFrom, quote } from '../quote.js';
import type { ReportedIteration } from './failed-case.js';
import { LIKELY, POSSIBLE, type Rule, SEEN } from './rule.js';

const CONFIG_REFUSED = new RegExp(
  [
    'LOOP_CONFIG_',
    '\\b(?:invalid|failed to (?:parse|load|read)|cannot (?:parse|load|read)|unknown field|missing field)\\b.*\\b(?:config\\w*|ralph\\.ya?ml)\\b',
    '\\b(?:config\\w*|ralph\\.ya?ml)\\b.*\\b(?:invalid|validation failed|unknown field|missing field|cannot be (?:read|parsed))\\b',
  ].join('|'),
  'i',
);

/** ralph.yml was refused, and nothing ran. */
export const configurationError: Rule = {
  type: 'ConfigurationError',
  explain({ context, iterations }) {
    if (context === undefined || iterations.length > 0 || context.exit_code === 0) return undefined;
    const said = linesFrom(`${context.stderr}\n${context.stdout}`, CONFIG_REFUSED, 4);
    if (said === undefined) return undefined;
    return {
      hypothesis: 'The orchestrator refused its configuration and ran no iteration.',
      evidence: [`it said: ${quote(said)}`],
      investigations: ['Hold the ralph.yml of this case against the fields that this version of the orchestrator has.'],
      fixes: [
        {
          description: 'Correct the setting that the message names, or teach the orchestrator to take it',
          confidence: SEEN,
          file_to_modify: 'ralph.yml',
          suggested_change: said.trim(),
        },
      ],
    };
  },
};

const REFUSED =
  /invalid (?:x-)?api[ _-]?key|failed to authenticate|authentication[ _](?:error|failed)|access ?denied|\bunauthori[sz]ed\b|not (?:logged|signed) in|please (?:log|sign) in|\b401\b/i;

/** The service did not take the credentials. Only what a failed agent said counts. */
export const authenticationError: Rule = {
  type: 'AuthenticationError',
  explain(failed) {
    const { context, iterations, result } = failed;
    const places = iterations.flatMap((iteration) =>
      iteration.failed === true
        ? [{ where: `iteration ${iteration.iteration}`, text: `${iteration.stderr ?? ''}\n${iteration.output ?? ''}` }]
        : [],
    );
    if (iterations.length === 0 && context !== undefined && context.exit_code !== 0)
      places.push({ where: 'the orchestrator', text: context.stderr });
    const found = places.flatMap(({ where, text }) => {
      const line = linesFrom(text, REFUSED);
      return line === undefined || failed.isWanted(line.trim()) ? [] : [`${where} said: ${quote(line)}`];
    });
    if (found.length === 0) return undefined;
    return {
      hypothesis: `The credentials of ${result.backend} were refused, so the agent never did its work.`,
      evidence: found,
      investigations: [`Sign in to ${result.backend} by its own means and run the case again.`],
      fixes: [{ description: `Give ${result.backend} credentials that its service takes`, confidence: SEEN }],
    };
  },
};

/** Endings that come from agents which did not work. */
const GAVE_UP = ['consecutive_failures', 'backend_unavailable'];

/** The agent's CLI failed, and the loop did not get over it. */
export const backendError: Rule = {
  type: 'BackendError',
  explain(failed) {
    const { context, iterations, result } = failed;
    // There a backend that fails is what the case is about.
    if (result.tier === 'Error Handling') return undefined;
    const last = iterations.at(-1);
    const gaveUp = GAVE_UP.includes(context?.termination_reason ?? '');
    if (last?.failed !== true && !gaveUp) return undefined;
    const missing = context?.termination_reason === 'backend_unavailable';
    return {
      hypothesis: missing
        ? `The CLI of ${last?.backend ?? result.backend} could not be started.`
        : `${last?.backend ?? result.backend} failed${last === undefined ? '' : ` in iteration ${last.iteration}`}, and the loop ended before an iteration succeeded.`,
      evidence: [
        ...(context?.termination_reason === undefined ? [] : [`the loop ended: ${context.termination_reason}`]),
        ...iterations.filter((iteration) => iteration.failed === true).map(tellFailure),
      ],
      investigations: last === undefined ? [] : [`Run the agent by itself: ${last.command}`],
      fixes: missing
        ? [
            {
              description: `Install the CLI, or name it in cli.command`,
              confidence: LIKELY,
              file_to_modify: 'ralph.yml',
            },
          ]
        : [
            {
              description: 'Call the CLI with arguments that its version takes',
              confidence: POSSIBLE,
              file_to_modify: 'the part of the orchestrator that builds the command line of this backend',
            },
          ],
    };
  },
};

function tellFailure({ iteration, backend, exit_code: code, stderr, output }: ReportedIteration): string {
  const said = lastLines(stderr ?? '') || lastLines(output ?? '');
  return `iteration ${iteration}: ${backend} ended with exit code ${code ?? 'none'}${said === '' ? ' and said nothing' : ` and said ${quote(said)}`}`;
}

/** It took too long: the harness ended it, or it ended itself at a limit that nobody expected to be reached. */
export const timeoutExceeded: Rule = {
  type: 'TimeoutExceeded',
  explain(failed) {
    const { context, iterations } = failed;
    const limited = context?.termination_reason === 'max_runtime' && failed.of('TerminationReason').length > 0;
    if (context === undefined || (!context.timed_out && !limited)) return undefined;
    const running = iterations.find((iteration) => iteration.exit_code === undefined);
    const limit = failed.configured('event_loop', 'max_runtime_seconds');
    return {
      hypothesis: limited ? 'The loop reached its own time limit.' : hangs(running, limit),
      evidence: [
        limited ? 'the loop ended: max_runtime' : 'the harness ended the whole process group at its deadline',
        ...(running === undefined ? [] : [`iteration ${running.iteration} (${running.hat}) began and did not end`]),
        ...(typeof limit === 'number' ? [`ralph.yml has max_runtime_seconds: ${limit}`] : []),
        ...(context.stdout.trim() === '' ? [] : [`the last that was printed: ${quote(lastLines(context.stdout))}`]),
      ],
      investigations: [
        running === undefined
          ? 'See what the orchestrator does after its last iteration.'
          : `Run the agent by itself and see whether it ends: ${running.command}`,
      ],
      fixes: timeFixes(limited, limit),
    };
  },
};

function hangs(running: ReportedIteration | undefined, limit: unknown): string {
  if (running === undefined) return 'The orchestrator did not end, although no iteration was running.';
  const held = typeof limit === 'number' ? `, and the loop’s own limit of ${limit} s did not end it` : '';
  return `The agent of iteration ${running.iteration} did not end${held}.`;
}

function timeFixes(limited: boolean, limit: unknown) {
  if (limited)
    return [
      {
        description: 'Allow more time',
        confidence: POSSIBLE,
        file_to_modify: 'ralph.yml',
        suggested_change: 'raise event_loop.max_runtime_seconds',
      },
    ];
  if (typeof limit === 'number')
    return [
      {
        description: 'End the agent, with everything that it started, when max_runtime_seconds are over',
        confidence: LIKELY,
        file_to_modify: 'the part of the orchestrator that waits for the agent',
      },
    ];
  return [
    {
      description: 'Set a limit, so that the loop ends by itself',
      confidence: POSSIBLE,
      file_to_modify: 'ralph.yml',
      suggested_change: 'add event_loop.max_runtime_seconds',
    },
  ];
}
