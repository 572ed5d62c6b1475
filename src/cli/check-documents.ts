import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeWorkflow } from '../conversation/workflow/describe.js';
import { builtInWorkflows, loadWorkflow, toWorkflow } from '../conversation/workflow/workflow.js';
import { readSource, type Source } from '../document/source.js';
import { InvalidDocumentError, type Problem, UnderstudyError } from '../errors.js';
import { CONTRACT_ENDING, loadContract } from '../orchestrators/contract/load-contract.js';
import { loadRehearsal, REHEARSAL_ENDING } from '../rehearsal/load.js';
import { toScenario } from '../scenario/load.js';
import { paint } from '../terminal/paint.js';
import { formatProblem, print, printJson } from './output.js';

type Kind = 'scenario' | 'rehearsal' | 'workflow' | 'contract';

interface Checked {
  file: string;
  kind: Kind;
  ok: boolean;
  summary: string;
  errors: readonly Problem[];
  warnings: readonly Problem[];
  /** The diagram of a workflow. */
  diagram?: { mermaid: string; text: string };
}

export interface CheckOptions {
  json?: boolean;
  strict?: boolean;
  diagram?: 'text' | 'mermaid';
}

/** Validates files and prints the problems of each. The exit code is 1 if there is one. */
export function checkDocuments(
  paths: readonly string[],
  { json = false, strict = false, diagram }: CheckOptions,
): number {
  const checked = paths.flatMap(documentsAt).map(checkDocument);
  if (checked.length === 0) {
    throw new UnderstudyError(
      'NOTHING_TO_CHECK',
      `there is no scenario, rehearsal, workflow or contract in ${paths.join(', ')}`,
      {
        fix: 'Name a file, or a folder with such files.',
      },
    );
  }
  const ok = checked.every((file) => file.ok && !(strict && file.warnings.length > 0));
  if (json) printJson({ ok, files: checked });
  else for (const file of checked) printChecked(file, diagram);
  return ok ? 0 : 1;
}

function checkDocument(file: string): Checked {
  let kind = kindByName(file) ?? 'scenario';
  try {
    if (kind === 'contract') {
      const { agents } = loadContract(file);
      return { file, kind, ok: true, summary: count(agents.length, 'agent'), errors: [], warnings: [] };
    }
    if (kind === 'rehearsal') {
      const { document, warnings } = loadRehearsal(file);
      return { file, kind, ok: true, summary: count(document.steps.length, 'step'), errors: [], warnings };
    }
    if (isBuiltIn(file)) return { kind: 'workflow', ...describedWorkflow(file, loadWorkflow(file)) };
    const source = readSource(file);
    kind = kindOf(source) ?? 'scenario';
    if (kind === 'workflow') return { kind, ...describedWorkflow(file, toWorkflow(source)) };
    const { document, warnings } = toScenario(source);
    return { file, kind, ok: true, summary: count(document.responses?.length ?? 0, 'rule'), errors: [], warnings };
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return {
      file,
      kind,
      ok: false,
      summary: count(error.problems.length, 'problem'),
      errors: error.problems,
      warnings: [],
    };
  }
}

function describedWorkflow(file: string, workflow: ReturnType<typeof loadWorkflow>): Omit<Checked, 'kind'> {
  const { mermaid, text } = describeWorkflow(workflow);
  return {
    file,
    ok: true,
    summary: count(workflow.stages.length, 'workflow stage'),
    errors: [],
    warnings: [],
    diagram: { mermaid, text },
  };
}

function printChecked(
  { file, kind, ok, summary, errors, warnings, diagram }: Checked,
  draw: CheckOptions['diagram'],
): void {
  print(`${ok ? paint.green('✓') : paint.red('✗')} ${file} ${paint.dim(`${kind}, ${summary}`)}`);
  for (const problem of errors) print(formatProblem(problem, 'red'));
  for (const problem of warnings) print(formatProblem(problem, 'yellow'));
  if (draw !== undefined && diagram !== undefined) print(`\n${diagram[draw].trimEnd()}`);
  if (errors.length + warnings.length > 0 || (draw !== undefined && diagram !== undefined)) print();
}

/** The documents at a path. In a folder, only files that look like ours, because other tools use TOML, too. */
function documentsAt(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return documentsIn(path);
  if (stats !== undefined || isBuiltIn(path)) return [path];
  throw new UnderstudyError('FILE_NOT_FOUND', `there is no file or folder ${path}`, {
    fix: 'Check the path. It is relative to the current folder.',
  });
}

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return documentsIn(path);
      return entry.name.endsWith('.toml') && looksLikeOurs(path) ? [path] : [];
    });
}

function looksLikeOurs(file: string): boolean {
  if (kindByName(file) !== undefined) return true;
  try {
    return kindOf(readSource(file)) !== undefined;
  } catch (error) {
    // Report a file that cannot be parsed, instead of skipping it silently.
    return error instanceof InvalidDocumentError;
  }
}

function kindByName(file: string): Kind | undefined {
  if (file.endsWith(CONTRACT_ENDING)) return 'contract';
  return file.endsWith(REHEARSAL_ENDING) ? 'rehearsal' : undefined;
}

function kindOf({ value }: Source): Kind | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('stages' in value || 'transitions' in value) return 'workflow';
  return ['responses', 'default_response', 'conversations', 'faults'].some((key) => key in value)
    ? 'scenario'
    : undefined;
}

function isBuiltIn(name: string): boolean {
  return Object.hasOwn(builtInWorkflows, name);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
