import { code, fence, type ReportSection, seconds, table } from '@understudy/verdict';
import { structuredPatch } from 'diff';
import type { ProgramContext, ProgramIteration } from '../../orchestrators/context-schema.js';

/** Everything that was observed of a program, each part folded. */
export function contextSections(context: ProgramContext): ReportSection[] {
  const { scratchpad_before: before, scratchpad_after: after, contract } = context;
  return [
    contract === undefined
      ? folded('📄 Configuration (ralph.yml)', fence(context.config_yaml, 'yaml'))
      : folded('📄 Contract', fence(contract, 'toml')),
    folded('📝 Prompt (PROMPT.md)', fence(context.prompt_content, 'markdown')),
    folded('⌨️ Command line', fence(context.command_line, 'sh')),
    ...context.iterations.map((iteration, index, all) => iterationSection(iteration, all[index - 1])),
    folded('📤 Standard output of the orchestrator', fence(context.stdout)),
    folded('📤 Standard error of the orchestrator', fence(context.stderr)),
    ...(before === undefined ? [] : [folded('📋 Scratchpad before', fence(before, 'markdown'))]),
    ...(after === undefined ? [] : [folded('📋 Scratchpad after', fence(after, 'markdown'))]),
    ...(after === undefined && contract === undefined ? [{ title: '📋 There was no scratchpad at the end.' }] : []),
    ...(contract === undefined ? [eventSection(context)] : []),
    fileSection(context),
  ];
}

/** A part that is folded until a reader opens it. */
function folded(title: string, markdown: string): ReportSection {
  return { title, markdown };
}

const NOT_RECORDED = '(not recorded)';

function iterationSection(iteration: ProgramIteration, before: ProgramIteration | undefined): ReportSection {
  const { hat, backend, command, prompt, output, stderr, exit_code: exitCode } = iteration;
  const facts = [
    `hat ${code(hat ?? NOT_RECORDED)}`,
    `backend ${code(backend ?? NOT_RECORDED)}`,
    exitCode === undefined ? 'no end recorded' : `exit code ${exitCode ?? 'none'}`,
    ...(iteration.failed === true ? ['failed'] : []),
    ...(iteration.duration_ms === undefined ? [] : [seconds(iteration.duration_ms)]),
    ...(iteration.tool_calls === undefined ? [] : [`${iteration.tool_calls} tool calls`]),
    ...(iteration.output_tokens === undefined ? [] : [`${iteration.output_tokens} output tokens`]),
  ];
  const parts = [
    facts.join(', '),
    `Command:\n\n${fence(command, 'sh')}`,
    promptSection(prompt, before?.prompt),
    `Agent’s output:\n\n${fence(output ?? NOT_RECORDED)}`,
    ...(stderr === undefined || stderr === '' ? [] : [`Agent’s standard error:\n\n${fence(stderr)}`]),
  ];
  return folded(`🔁 Iteration ${iteration.iteration}`, parts.join('\n\n'));
}

/** The first prompt whole; later ones as what differs from the prompt before, which is much less. */
function promptSection(prompt: string | undefined, before: string | undefined): string {
  const whole = `Prompt sent:\n\n${fence(prompt ?? NOT_RECORDED, 'markdown')}`;
  if (prompt === undefined || before === undefined) return whole;
  if (prompt === before) return 'Prompt sent: the same as before.';
  const { hunks } = structuredPatch('', '', before, prompt, undefined, undefined, { context: 2 });
  const lines = hunks.flatMap(({ oldStart, newStart, lines: own }) => [`@@ -${oldStart} +${newStart} @@`, ...own]);
  const difference = lines.join('\n');
  if (difference.length >= prompt.length) return whole;
  return `Prompt sent, as the difference from the one before:\n\n${fence(difference, 'diff')}`;
}

function eventSection({ events_emitted: events }: ProgramContext): ReportSection {
  if (events.length === 0) return { title: '📊 No events were published.' };
  const rows = events.map(({ topic, payload, timestamp, source_hat: hat, target }) =>
    [topic, payload, hat ?? '', target ?? '', timestamp].map(code),
  );
  return folded(`📊 Events (${events.length})`, table(['Topic', 'Payload', 'By', 'For', 'Time'], rows));
}

function fileSection({ workspace_files: files }: ProgramContext): ReportSection {
  if (files.length === 0) return { title: '📁 The workspace has no files.' };
  const rows = files.map(({ path, size_bytes: size, content_preview: preview }) => [
    code(path),
    String(size),
    code(preview),
  ]);
  return folded(`📁 Files (${files.length})`, table(['File', 'Bytes', 'Beginning'], rows));
}
