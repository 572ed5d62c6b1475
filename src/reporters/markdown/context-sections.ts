import type { ReportedContext } from '../../results/schema.js';
import { code, fence, folded, table } from './text.js';

/** Everything that was seen of a case, each part folded. */
export function contextSections(context: ReportedContext): string {
  const { scratchpad_before: before, scratchpad_after: after } = context;
  return [
    folded('📄 Configuration (ralph.yml)', fence(context.config_yaml, 'yaml')),
    folded('📝 Prompt (PROMPT.md)', fence(context.prompt_content, 'markdown')),
    folded('⌨️ Command line', fence(context.command_line, 'sh')),
    ...context.iterations.map(iterationSection),
    folded('📤 Standard output of the orchestrator', fence(context.stdout)),
    folded('📤 Standard error of the orchestrator', fence(context.stderr)),
    before === undefined ? '' : folded('📋 Scratchpad before', fence(before, 'markdown')),
    after === undefined
      ? '📋 There was no scratchpad at the end.'
      : folded('📋 Scratchpad after', fence(after, 'markdown')),
    eventSection(context),
    fileSection(context),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function iterationSection(iteration: ReportedContext['iterations'][number]): string {
  const { hat, backend, command, prompt, output, stderr, exit_code: exitCode } = iteration;
  const facts = [
    `hat ${code(hat)}`,
    `backend ${code(backend)}`,
    exitCode === undefined ? 'did not end' : `exit code ${exitCode ?? 'none'}`,
    ...(iteration.failed === true ? ['failed'] : []),
    ...(iteration.duration_seconds === undefined ? [] : [`${iteration.duration_seconds.toFixed(1)} s`]),
    ...(iteration.tool_calls === undefined ? [] : [`${iteration.tool_calls} tool calls`]),
    ...(iteration.output_tokens === undefined ? [] : [`${iteration.output_tokens} output tokens`]),
  ];
  const parts = [
    facts.join(', '),
    `Command:\n\n${fence(command, 'sh')}`,
    `Prompt sent:\n\n${fence(prompt, 'markdown')}`,
    `Agent’s output:\n\n${fence(output ?? '')}`,
    ...(stderr === undefined || stderr === '' ? [] : [`Agent’s standard error:\n\n${fence(stderr)}`]),
  ];
  return folded(`🔁 Iteration ${iteration.iteration}`, parts.join('\n\n'));
}

function eventSection({ events_emitted: events }: ReportedContext): string {
  if (events.length === 0) return '📊 No events were published.';
  const rows = events.map(({ topic, payload, timestamp, source_hat: hat, target }) => [
    code(topic),
    code(payload),
    code(hat ?? ''),
    code(target ?? ''),
    code(timestamp),
  ]);
  return folded(`📊 Events (${events.length})`, table(['Topic', 'Payload', 'By', 'For', 'Time'], rows));
}

function fileSection({ workspace_files: files }: ReportedContext): string {
  if (files.length === 0) return '📁 The workspace has no files.';
  const rows = files.map(({ path, size_bytes: size, content_preview: preview }) => [
    code(path),
    String(size),
    code(preview),
  ]);
  return folded(`📁 Files (${files.length})`, table(['File', 'Bytes', 'Beginning'], rows));
}
