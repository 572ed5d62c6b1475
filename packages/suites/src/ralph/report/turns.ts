import { longPart, type TimelineItem, type TimelineTurn, textPart } from '@understudy/verdict';
import type { ProgramContext } from '../../orchestrators/context-schema.js';

/** What a program that calls agents did, call by call. */
export function iterationTurns(context: ProgramContext): TimelineTurn[] {
  const { config_yaml, command_line, stdout, stderr, exit_code: code, scratchpad_before = '' } = context;
  const output = (label: string, value: string): TimelineItem[] =>
    value === '' ? [] : [{ kind: 'program', title: label, parts: [{ label, text: value }] }];
  const turns = context.iterations.map((iteration): TimelineTurn => {
    const { hat, backend, prompt, output: said, stderr: errors, exit_code: ended, duration_ms } = iteration;
    return {
      title: `Call ${iteration.iteration}${hat === undefined ? '' : ` as ${hat}`}`,
      facts: [
        ...(backend === undefined ? [] : [backend]),
        ...(ended === undefined ? [] : [`exit code ${ended}`]),
        ...(duration_ms === undefined ? [] : [`${(duration_ms / 1000).toFixed(1)} s`]),
      ],
      failed: iteration.failed === true,
      moves: [],
      items: [
        { kind: 'program', title: iteration.command, parts: textPart('prompt', prompt) },
        ...(said === undefined ? [] : [{ kind: 'agent', title: said, parts: longPart('output', said) }]),
        ...output('stderr', errors ?? ''),
        ...iteration.events_written.map((topic) => ({ kind: 'event', title: topic, parts: [] })),
      ],
    };
  });
  const changed =
    context.scratchpad_after === undefined
      ? []
      : [
          {
            kind: 'file',
            title: 'scratchpad',
            parts: [{ label: 'scratchpad', before: scratchpad_before, after: context.scratchpad_after }],
          },
        ];
  const program: TimelineTurn = {
    title: 'The program',
    facts: [`exit code ${code}`, ...(context.timed_out ? ['timed out'] : [])],
    failed: context.timed_out,
    moves: [],
    items: [
      { kind: 'program', title: command_line, parts: textPart('configuration', config_yaml || undefined) },
      ...output('stdout', stdout),
      ...output('stderr', stderr),
      ...changed,
    ],
  };
  return [...turns, program];
}
