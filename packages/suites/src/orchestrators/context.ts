import { defined, shellWord, shortenMiddle, type UntrustedFolder } from '@understudy/kit';
import type { LoopConfig } from '../ralph/loop/config.js';
import type { LoopEvent } from '../ralph/loop/events.js';
import type { ProgramContext, ProgramIteration } from './context-schema.js';
import { eventFacts, readLoopConfig } from './iteration-events.js';
import type { IterationFacts, Observation } from './observation.js';

/** Longer texts are cut in the middle: the beginning and the end say most. */
const LONGEST = 20_000;
const PREVIEW = 500;
const MOST_FILES = 100;

/** Folders of the harness, and folders that say nothing about the case. */
const NOT_SHOWN = new Set(['.home', '.git', 'node_modules']);

export interface ContextSource {
  workspace: UntrustedFolder;
  observation: Observation;
  scratchpadBefore: string | undefined;
  scratchpadFile: string;
  /** Takes secrets out of the files that are read here. The observation has none. */
  redact(text: string): string;
}

/** Everything that helps to understand what happened. It is read before the workspace is removed. */
export function captureContext(source: ContextSource): ProgramContext {
  const { workspace, observation, scratchpadBefore, scratchpadFile, redact } = source;
  const { runs, last, events, iterations, termination } = observation;
  const read = (file: string) => {
    const text = workspace.text(file);
    return text === undefined ? undefined : redact(text);
  };
  const configYaml = read('ralph.yml') ?? '';
  const config = readLoopConfig(configYaml);
  return {
    config_yaml: cut(configYaml),
    prompt_content: cut(read('PROMPT.md') ?? ''),
    command_line: runs.map(({ command }) => command.map(shellWord).join(' ')).join('\n'),
    exit_code: last?.code ?? null,
    timed_out: observation.timedOut,
    duration_ms: runs.reduce((total, { milliseconds }) => total + milliseconds, 0),
    stdout: cut(runs.map(({ stdout }) => stdout).join('')),
    stderr: cut(runs.map(({ stderr }) => stderr).join('')),
    events_emitted: events.map(toEvent),
    iterations: iterations.map((facts) => toIteration(facts, observation, config)),
    iterations_completed: iterations.filter(({ milliseconds }) => milliseconds !== undefined).length,
    workspace_files: listFiles(workspace, redact),
    ...defined({
      scratchpad_before: cutIfThere(scratchpadBefore),
      scratchpad_after: cutIfThere(read(scratchpadFile)),
      termination_reason: termination,
    }),
  };
}

function toEvent({ topic, payload, ts, source, target }: LoopEvent): ProgramContext['events_emitted'][number] {
  return { topic, payload: cut(payload), timestamp: ts, ...defined({ source_hat: source, target }) };
}

function toIteration(
  facts: IterationFacts,
  observation: Observation,
  config: LoopConfig | undefined,
): ProgramIteration {
  return {
    iteration: facts.iteration,
    command: cut(facts.command.map(shellWord).join(' ')),
    ...defined({
      hat: facts.hat,
      backend: facts.backend,
      prompt: cutIfThere(facts.prompt),
      output: cutIfThere(facts.output),
      stderr: cutIfThere(facts.stderr),
      exit_code: facts.code,
      failed: facts.failed,
      duration_ms: facts.milliseconds,
      tool_calls: facts.toolCalls,
      output_tokens: facts.outputTokens,
      cost_usd: facts.costUsd,
    }),
    ...eventFacts(facts, observation, config),
  };
}

/** The files of a workspace, each with its beginning. Links are not followed: they may lead anywhere. */
export function listFiles(
  workspace: UntrustedFolder,
  redact: ContextSource['redact'],
): ProgramContext['workspace_files'] {
  const files: ProgramContext['workspace_files'] = [];
  const walk = (folder: string) => {
    for (const entry of workspace.list(folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (NOT_SHOWN.has(entry.name) || files.length >= MOST_FILES) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) {
        const found = workspace.piece(path, { longest: PREVIEW * 8 });
        if (found === undefined) continue;
        files.push({ path, content_preview: preview(found.bytes, redact), size_bytes: found.size });
      }
    }
  };
  walk('');
  return files;
}

/** The beginning of a file. Only that is read: an agent may have written gigabytes. */
function preview(bytes: Buffer, redact: ContextSource['redact']): string {
  return bytes.includes(0) ? '(binary)' : redact(bytes.toString('utf8')).slice(0, PREVIEW);
}

export function cut(text: string, longest = LONGEST): string {
  return shortenMiddle(text, longest, (left) => `\n… ${left} characters left out …\n`);
}

function cutIfThere(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(text);
}
