import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../process/shell-word.js';
import type { ReportedContext } from '../results/schema.js';
import type { LoopEvent } from './loop/events.js';
import type { IterationFacts, Observation } from './observation.js';

/** Texts longer than this are cut in the middle: how it began and how it ended says most. */
const LONGEST = 20_000;
const PREVIEW = 500;
const MOST_FILES = 100;

/** Folders that are the harness's own, or the orchestrator's bookkeeping that the report shows otherwise. */
const NOT_SHOWN = new Set(['.home', '.git', 'node_modules']);

export interface ContextSource {
  workspace: string;
  observation: Observation;
  scratchpadBefore: string | undefined;
  scratchpadFile: string;
  /** Takes secrets out of what is read here; the observation is already without. */
  redact(text: string): string;
}

/** Everything that an agent needs to understand what happened, taken before the workspace goes. */
export function captureContext(source: ContextSource): ReportedContext {
  const { workspace, observation, scratchpadBefore, scratchpadFile, redact } = source;
  const { runs, last, events, iterations, termination } = observation;
  const read = (file: string) => {
    const text = readText(join(workspace, file));
    return text === undefined ? undefined : redact(text);
  };
  const scratchpadAfter = read(scratchpadFile);
  return {
    config_yaml: cut(read('ralph.yml') ?? ''),
    prompt_content: cut(read('PROMPT.md') ?? ''),
    command_line: runs.map(({ command }) => command.map(shellWord).join(' ')).join('\n'),
    exit_code: last?.code ?? null,
    timed_out: observation.timedOut,
    stdout: cut(runs.map(({ stdout }) => stdout).join('')),
    stderr: cut(runs.map(({ stderr }) => stderr).join('')),
    ...(scratchpadBefore === undefined ? {} : { scratchpad_before: cut(scratchpadBefore) }),
    ...(scratchpadAfter === undefined ? {} : { scratchpad_after: cut(scratchpadAfter) }),
    events_emitted: events.map(toEvent),
    iterations: iterations.map(toIteration),
    iterations_completed: iterations.filter(({ milliseconds }) => milliseconds !== undefined).length,
    ...(termination === undefined ? {} : { termination_reason: termination }),
    workspace_files: listFiles(workspace, redact),
  };
}

function toEvent({ topic, payload, ts, source, target }: LoopEvent): ReportedContext['events_emitted'][number] {
  return {
    topic,
    payload: cut(payload),
    timestamp: ts,
    ...(source === undefined ? {} : { source_hat: source }),
    ...(target === undefined ? {} : { target }),
  };
}

function toIteration(facts: IterationFacts): ReportedContext['iterations'][number] {
  const { iteration, hat, backend, command, prompt, output, stderr, code, failed, milliseconds } = facts;
  return {
    iteration,
    hat,
    backend,
    command: cut(command.map(shellWord).join(' ')),
    prompt: cut(prompt),
    ...(output === undefined ? {} : { output: cut(output) }),
    ...(stderr === undefined ? {} : { stderr: cut(stderr) }),
    ...(code === undefined ? {} : { exit_code: code }),
    ...(failed === undefined ? {} : { failed }),
    ...(milliseconds === undefined ? {} : { duration_seconds: milliseconds / 1000 }),
    ...(facts.toolCalls === undefined ? {} : { tool_calls: facts.toolCalls }),
    ...(facts.outputTokens === undefined ? {} : { output_tokens: facts.outputTokens }),
  };
}

/** The files of a workspace, each with its beginning. Links are not followed: they may lead anywhere. */
function listFiles(workspace: string, redact: ContextSource['redact']): ReportedContext['workspace_files'] {
  const files: ReportedContext['workspace_files'] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(workspace, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (NOT_SHOWN.has(entry.name) || files.length >= MOST_FILES) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) {
        const size = lstatSync(join(workspace, path)).size;
        files.push({ path, content_preview: preview(join(workspace, path), redact), size_bytes: size });
      }
    }
  };
  walk('');
  return files;
}

function preview(file: string, redact: ContextSource['redact']): string {
  const bytes = readFileSync(file).subarray(0, PREVIEW * 8);
  return bytes.includes(0) ? '(binary)' : redact(bytes.toString('utf8')).slice(0, PREVIEW);
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  const half = LONGEST / 2;
  return `${text.slice(0, half)}\n… ${text.length - LONGEST} characters left out …\n${text.slice(-half)}`;
}
