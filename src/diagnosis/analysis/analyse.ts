import { join } from 'node:path';
import { formatPlace, InvalidDocumentError, UnderstudyError } from '../../errors.js';
import { redactor } from '../../process/redact.js';
import type { SuiteReport } from '../../results/schema.js';
import { builtInAnalyzer, readAnalyzer } from './analyzer-config.js';
import { readAnswer } from './answer.js';
import { type AskOptions, askAnalyzer, WORKSPACE } from './ask-analyzer.js';
import { mergeAnswer } from './merge.js';
import { Problems } from './problems.js';

export interface AnalyseOptions extends Omit<AskOptions, 'analyzer'> {
  /** A ralph.yml of one's own; by default the built-in one. */
  analyzer?: string | undefined;
  keepWorkspace?: boolean;
  /** Whose secrets must not come back in an answer. */
  environment?: NodeJS.ProcessEnv;
}

type Status = SuiteReport['meta_analysis']['status'];

/**
 * Asks an agent what a run tells, and puts its answer into the report. It only adds: without an
 * answer, or with a bad one, the report is as it was and says so.
 */
export async function analyse(report: SuiteReport, options: AnalyseOptions): Promise<SuiteReport> {
  const redact = redactor(options.environment ?? process.env);
  const problems = new Problems(redact);
  const { workspaces, keepWorkspace = false } = options;
  const ending = (status: Status, detail: string, merged: SuiteReport = report): SuiteReport => {
    if (status === 'merged' && !keepWorkspace) workspaces.remove(WORKSPACE);
    const path = join(workspaces.root, WORKSPACE);
    const kept = workspaces.exists(WORKSPACE) ? [{ path, description: `workspace of the analysis (${status})` }] : [];
    return {
      ...merged,
      artifacts: [...merged.artifacts, ...kept],
      meta_analysis: { status, detail: problems.plain(detail), problems: problems.all() },
    };
  };
  try {
    workspaces.remove(WORKSPACE);
    const analyzer =
      options.analyzer === undefined
        ? builtInAnalyzer(options.orchestrator.kind === 'reference' ? 1 : 3)
        : readAnalyzer(options.analyzer);
    const asked = await askAnalyzer(report, { ...options, analyzer }, problems);
    if ('skipped' in asked) return ending('skipped', asked.skipped);
    if ('failed' in asked) return ending('failed', asked.failed);
    const answer = readAnswer(asked.payload, problems, redact);
    if (answer === undefined) return ending('failed', 'the answer cannot be used');
    const { report: merged, taken } = mergeAnswer(report, answer, problems);
    if (taken === 0 && problems.all().length > 0) return ending('failed', 'nothing of the answer could be used');
    return ending('merged', `${taken} ${taken === 1 ? 'part' : 'parts'} of the answer merged`, merged);
  } catch (error) {
    return ending('failed', describe(error));
  }
}

/** The first thing that is wrong, where, and what to do. */
function describe(error: unknown): string {
  if (!(error instanceof UnderstudyError)) return error instanceof Error ? error.message : String(error);
  const first = error instanceof InvalidDocumentError ? error.problems[0] : undefined;
  const place = formatPlace(error.place);
  const message = first === undefined ? error.message : `${error.message}: ${first.message}`;
  return `${place === '' ? '' : `${place}: `}${message}${error.fix === undefined ? '' : ` (${error.fix})`}`;
}
