import { appendFileSync } from 'node:fs';
import { forTerminal, UnderstudyError, withoutColors, writeWhole } from '@understudy/kit';
import type { RunResult } from '../results/run-result.js';
import { isRunByAgent, writeAgentReport } from './agent.js';
import { writeCtrf } from './ctrf.js';
import { dotReporter } from './dot.js';
import { githubAnnotations, githubSummary, withoutWorkflowCommands } from './github.js';
import { writeJson } from './json.js';
import { writeJunit } from './junit.js';
import { type ListOptions, listReporter } from './list.js';
import { liveReporter } from './live.js';
import { contextFiles } from './markdown/context-file.js';
import { writeMarkdown } from './markdown/write-markdown.js';
import { ownReporter } from './own-reporter.js';
import { atEnd, combineReporters, type Reporter } from './reporter.js';
import { type ReporterChoice, refuseMixedOutput } from './reporter-names.js';
import { tellWaiting } from './waiting.js';

export interface ReporterContext extends ListOptions {
  output: NodeJS.WriteStream;
  environment: NodeJS.ProcessEnv;
  /** The page of a run, and where it goes by default; `prepare` throws when nothing may be written there. */
  html: { write(run: RunResult): Iterable<string>; file: string; prepare?(): void };
  /** Sends a run as traces to a collector; it goes on after the end. */
  sendTraces(run: RunResult, endpoint: string): Promise<void>;
  /** Called with work that goes on after the end. */
  onPending(work: Promise<void>): void;
  /** Called with what could not be written. */
  onUnwritten(file: string, error: unknown): void;
}

/** What is shown when nobody asked for anything: a list; what an agent needs, to an agent. */
export function defaultReporters({ output, environment }: ReporterContext): ReporterChoice[] {
  return [{ name: output.isTTY !== true && isRunByAgent(environment) ? 'agent' : 'list' }];
}

/** One reporter that does what was chosen. In GitHub Actions, `github` is always among them. */
export function createReporter(choices: readonly ReporterChoice[], context: ReporterContext): Reporter {
  refuseMixedOutput(choices);
  const isActions = context.environment['GITHUB_ACTIONS'] === 'true';
  const asked = choices.some(({ name }) => name === 'github');
  const all = isActions && !asked ? [...choices, { name: 'github' } as const] : choices;
  return combineReporters(all.map((choice) => createOne(choice, context, isActions)));
}

function createOne(
  { name, file, module = '', own = {} }: ReporterChoice,
  context: ReporterContext,
  isActions: boolean,
): Reporter {
  const { output, quiet, verbose } = context;
  const toOutput = (text: string) => output.write(isActions ? withoutWorkflowCommands(text) : text);
  const document = (write: (run: RunResult) => string) =>
    atEnd((run) => {
      if (file === undefined) toOutput(write(run));
      else writeIfPossible(file, () => write(run), context);
    });
  switch (name) {
    case 'live':
      return liveReporter(output, { verbose, quiet });
    case 'list':
      if (file !== undefined) return lineFile(file, context, (print) => listReporter(print, { verbose, quiet }));
      return output.isTTY === true && quiet !== true
        ? liveReporter(output, { verbose, quiet })
        : listOf((line) => toOutput(`${forTerminal(line)}\n`), { verbose, quiet });
    case 'dot':
      if (file !== undefined) return lineFile(file, context, (print) => dotReporter(print), '');
      return dotReporter((text) => toOutput(forTerminal(text)));
    case 'json':
      return document(writeJson);
    case 'junit':
      return document(writeJunit);
    case 'ctrf':
      return document(writeCtrf);
    case 'markdown':
      return markdownReporter(
        file,
        document((run) => writeMarkdown(run, file)),
        context,
      );
    case 'agent':
      return document(writeAgentReport);
    case 'html':
      return pageReporter(file, context);
    case 'github':
      return githubReporter(context);
    case 'otlp':
      return otlpReporter(file, context);
    case 'own':
      return ownReporter(own, module, {
        onPending: context.onPending,
        onError: (error) => context.onUnwritten(module, error),
      });
  }
}

/** A list for a log: it says what is waited for, unless nothing but the summary is wanted. */
function listOf(print: (line: string) => void, options: ListOptions): Reporter {
  const list = listReporter(print, options);
  return options.quiet === true ? list : tellWaiting(list, print);
}

/** A report in a file has the contexts in files beside it. */
function markdownReporter(file: string | undefined, report: Reporter, context: ReporterContext): Reporter {
  if (file === undefined) return report;
  const contexts = atEnd((run) => {
    for (const other of contextFiles(run, file)) writeIfPossible(other.file, () => other.text, context);
  });
  return combineReporters([contexts, report]);
}

/** Half a run has no page, unless somebody asked for one. */
function pageReporter(file: string | undefined, context: ReporterContext): Reporter {
  const { write, file: usual, prepare } = context.html;
  if (file !== undefined) return atEnd((run) => writeIfPossible(file, () => write(run), context));
  const writeUsual = (run: RunResult) => {
    prepare?.();
    return write(run);
  };
  return atEnd((run) => {
    if (run.exit_code !== 130) writeIfPossible(usual, () => writeUsual(run), context);
  });
}

function githubReporter({ output, environment, onUnwritten }: ReporterContext): Reporter {
  return atEnd((run) => {
    output.write(githubAnnotations(run, environment['GITHUB_WORKSPACE'] ?? process.cwd()));
    const summary = environment['GITHUB_STEP_SUMMARY'];
    if (summary === undefined || summary === '') return;
    try {
      appendFileSync(summary, githubSummary(run));
    } catch (error) {
      onUnwritten(summary, error);
    }
  });
}

function otlpReporter(endpoint: string | undefined, context: ReporterContext): Reporter {
  const { environment, sendTraces, onPending, onUnwritten } = context;
  const to = endpoint ?? environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  // Before anything runs, not after minutes.
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol)) {
    throw new UnderstudyError('BAD_FLAG', `${JSON.stringify(to)} is no address of a collector`, {
      fix: 'Write --reporter otlp=http://127.0.0.1:4318, or set OTEL_EXPORTER_OTLP_ENDPOINT.',
    });
  }
  return atEnd((run) => onPending(sendTraces(run, to).catch((error: unknown) => onUnwritten(to, error))));
}

/** A reporter of lines that writes them to a file at the end. */
function lineFile(
  file: string,
  context: ReporterContext,
  create: (print: (line: string) => void) => Reporter,
  end = '\n',
): Reporter {
  let text = '';
  const inner = create((line) => {
    text += `${withoutColors(line)}${end}`;
  });
  return {
    ...inner,
    finish(run) {
      inner.finish(run);
      writeIfPossible(file, () => text, context);
    },
  };
}

function writeIfPossible(file: string, text: () => string | Iterable<string>, { onUnwritten }: ReporterContext): void {
  try {
    writeWhole(file, text());
  } catch (error) {
    onUnwritten(file, error);
  }
}
