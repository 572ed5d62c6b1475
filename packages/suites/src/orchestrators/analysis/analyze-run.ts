import { join } from 'node:path';
import { formatLocation, InvalidDocumentError, redactor, UnderstudyError } from '@understudy/kit';
import type { RunResult } from '@understudy/verdict';
import { builtInAnalyzer, readAnalyzer } from './analyzer-config.js';
import { readAnswer } from './answer.js';
import { type AskOptions, askAnalyzer, WORKSPACE } from './ask-analyzer.js';
import { mergeAnswer } from './merge.js';
import { Problems } from './problems.js';

export interface AnalyzeOptions extends Omit<AskOptions, 'analyzer'> {
  /** A ralph.yml; by default the built-in one. */
  analyzer?: string | undefined;
  keepWorkspace?: boolean;
  /** The environment whose secrets must not come back in an answer. */
  environment?: NodeJS.ProcessEnv;
}

type Status = NonNullable<RunResult['analysis']>['status'];

/**
 * Asks an agent what a run shows, and adds its answer. Without an answer, or with a bad one, the run stays as it was
 * and says so.
 */
export async function analyzeRun(run: RunResult, options: AnalyzeOptions): Promise<RunResult> {
  const redact = redactor(options.environment ?? process.env);
  const problems = new Problems(redact);
  const { workspaces, keepWorkspace = false } = options;
  const ending = async (status: Status, detail: string, merged: RunResult = run): Promise<RunResult> => {
    if (status === 'merged' && !keepWorkspace) await workspaces.remove(WORKSPACE);
    const path = join(workspaces.root, WORKSPACE);
    const kept = workspaces.exists(WORKSPACE) ? [{ path, description: `workspace of the analysis (${status})` }] : [];
    const artifacts = [...(merged.artifacts ?? []), ...kept];
    return {
      ...merged,
      ...(artifacts.length === 0 ? {} : { artifacts }),
      analysis: { status, detail: problems.plain(detail), problems: problems.all() },
    };
  };
  try {
    await workspaces.remove(WORKSPACE);
    const analyzer =
      options.analyzer === undefined
        ? builtInAnalyzer(options.orchestrator.kind === 'reference' ? 1 : 3)
        : readAnalyzer(options.analyzer);
    const asked = await askAnalyzer(run, { ...options, analyzer }, problems);
    if ('skipped' in asked) return await ending('skipped', asked.skipped);
    if ('failed' in asked) return await ending('failed', asked.failed);
    const answer = readAnswer(asked.payload, problems, redact);
    if (answer === undefined) return await ending('failed', 'the answer cannot be used');
    const { run: merged, taken } = mergeAnswer(run, answer, problems);
    if (taken === 0 && problems.all().length > 0) return await ending('failed', 'nothing of the answer could be used');
    return await ending('merged', `${taken} ${taken === 1 ? 'part' : 'parts'} of the answer merged`, merged);
  } catch (error) {
    return await ending('failed', describe(error));
  }
}

/** The first thing that is wrong, where, and what to do. */
function describe(error: unknown): string {
  if (!(error instanceof UnderstudyError)) return error instanceof Error ? error.message : String(error);
  const first = error instanceof InvalidDocumentError ? error.problems[0] : undefined;
  const location = formatLocation(error.location);
  const message = first === undefined ? error.message : `${error.message}: ${first.message}`;
  return `${location === '' ? '' : `${location}: `}${message}${error.fix === undefined ? '' : ` (${error.fix})`}`;
}
