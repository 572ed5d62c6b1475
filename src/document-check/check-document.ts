import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  CONFIG_FILE,
  CONTRACT_ENDING,
  configFile,
  countOf,
  type ErrorCode,
  GUARD_FILE,
  InvalidDocumentError,
  isModuleFile,
  isObject,
  isRehearsalFile,
  type Problem,
  REPRO_ENDING,
  readSource,
  type Source,
  UnderstudyError,
} from '@understudy/kit';
import type { Rehearsal } from '@understudy/runner';
import { builtInWorkflows } from '@understudy/stage';

type Kind = 'scenario' | 'rehearsal' | 'workflow' | 'contract' | 'suite' | 'exported test' | 'guard' | 'config';

/** What is known of a document after a look. */
export interface CheckedDocument {
  file: string;
  kind: Kind;
  ok: boolean;
  summary: string;
  errors: readonly Problem[];
  warnings: readonly Problem[];
  /** What the stage sim refuses of a rehearsal. A rehearsal that is made for sim has these as errors. */
  refused_on_sim?: readonly Problem[];
  /** The diagram of a workflow. */
  diagram?: { mermaid: string; text: string };
}

/** Validates a scenario, rehearsal, workflow, contract or guard file. Only what that kind of document needs is loaded. */
export async function checkDocument(file: string): Promise<CheckedDocument> {
  const checked = await readDocument(file);
  const { errors, warnings } = checked;
  const refused = warnings.filter(({ code }) => REFUSED.has(code));
  if (refused.length === 0) return checked;
  return {
    ...checked,
    ok: false,
    summary: countOf(errors.length + refused.length, 'problem'),
    errors: [...errors, ...refused],
    warnings: warnings.filter(({ code }) => !REFUSED.has(code)),
  };
}

/** What a run sends as it stands, and hardly anybody means: a look at the file alone refuses it. */
const REFUSED: ReadonlySet<ErrorCode> = new Set(['UNKNOWN_PLACEHOLDER']);

async function readDocument(file: string): Promise<CheckedDocument> {
  let kind = kindByName(file) ?? 'scenario';
  try {
    if (kind === 'contract') {
      const { loadContract } = await import('@understudy/suites');
      const { agents } = loadContract(file);
      return { file, kind, ok: true, summary: countOf(agents.length, 'agent'), errors: [], warnings: [] };
    }
    if (kind === 'config') {
      const { readProjectConfig } = await import('@understudy/runner');
      const fields = Object.keys(readProjectConfig(file)).length - 1;
      return { file, kind, ok: true, summary: countOf(fields, 'field'), errors: [], warnings: [] };
    }
    if (kind === 'exported test') {
      const { readRepro } = await import('@understudy/runner');
      const { files, play } = readRepro(file);
      const summary = `${countOf(files.length, 'file')}, played by ${play.agents.join(', ')} on ${play.stage}`;
      return { file, kind, ok: true, summary, errors: [], warnings: [] };
    }
    if (kind === 'guard') {
      const { readGuardFile } = await import('@understudy/suites');
      return { file, kind, ok: true, summary: countOf(readGuardFile(file).length, 'guard'), errors: [], warnings: [] };
    }
    if (kind === 'rehearsal') {
      const { loadRows } = await import('@understudy/runner');
      return await checkRehearsal(file, loadRows(file));
    }
    if (isBuiltIn(file)) return await checkWorkflow(file);
    const source = readSource(file);
    kind = kindOf(source) ?? 'scenario';
    if (kind === 'workflow') return await checkWorkflow(file, source);
    const { toScenario } = await import('@understudy/script');
    const { document, warnings } = toScenario(source);
    return { file, kind, ok: true, summary: countOf(document.responses?.length ?? 0, 'rule'), errors: [], warnings };
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return {
      file,
      kind,
      ok: false,
      summary: countOf(error.problems.length, 'problem'),
      errors: error.problems,
      warnings: [],
    };
  }
}

/** One rehearsal, or the rows of one: what several of them have is reported once. */
async function checkRehearsal(file: string, rows: readonly Rehearsal[]): Promise<CheckedDocument> {
  const { simRefuses } = await import('./sim-refuses.js');
  const { warnOfHidden } = await import('./hidden-programs.js');
  const looks = await Promise.all(
    rows.map(async (row) => ({
      refused: await simRefuses(row),
      warnings: [...row.warnings, ...(await warnOfHidden(row))],
    })),
  );
  const refused = each(looks.flatMap((look) => look.refused));
  const rest = { file, kind: 'rehearsal' as const, warnings: each(looks.flatMap(({ warnings }) => warnings)) };
  const document = rows[0]?.document;
  if (document?.stage === 'sim' && refused.length > 0)
    return { ...rest, ok: false, summary: countOf(refused.length, 'problem'), errors: refused };
  const steps = countOf(document?.steps.length ?? 0, 'step');
  const summary = rows[0]?.row === undefined ? steps : `${steps}, ${countOf(rows.length, 'row')}`;
  return { ...rest, ok: true, summary, errors: [], ...(refused.length === 0 ? {} : { refused_on_sim: refused }) };
}

function each(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

async function checkWorkflow(file: string, source?: Source): Promise<CheckedDocument> {
  const { loadWorkflow, toWorkflow } = await import('@understudy/stage');
  const workflow = source === undefined ? loadWorkflow(file) : toWorkflow(source);
  const { describeWorkflow } = await import('@understudy/stage');
  const { mermaid, text } = describeWorkflow(workflow);
  return {
    file,
    kind: 'workflow',
    ok: true,
    summary: countOf(workflow.stages.length, 'workflow stage'),
    errors: [],
    warnings: [],
    diagram: { mermaid, text },
  };
}

/** The documents at a path. In a folder, only files that look like ours, because other tools use TOML, too. */
export function documentsAt(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    const found = documentsIn(path);
    // What a rehearsal extends is looked at with it: by itself it is not whole.
    const bases = new Set(found.flatMap((file) => (isRehearsalFile(file) ? basesOf(file) : [])));
    return found.filter((file) => !bases.has(resolve(file)));
  }
  if (stats !== undefined || isBuiltIn(path)) return [path];
  throw new UnderstudyError('FILE_NOT_FOUND', `there is no file or folder ${path}`, {
    fix: 'Check the path. It is relative to the current folder.',
  });
}

/** The files that a document extends, and those that they extend. */
function basesOf(file: string, seen: ReadonlySet<string> = new Set()): string[] {
  if (isModuleFile(file) || seen.has(file)) return [];
  try {
    const { value } = readSource(file);
    const named = isObject(value) ? [value['extends'] ?? []].flat() : [];
    const own = named.flatMap((name) => (typeof name === 'string' ? [resolve(dirname(file), name)] : []));
    return [...own, ...own.flatMap((base) => basesOf(base, new Set([...seen, file])))];
  } catch {
    // What is wrong with it is reported when it is checked.
    return [];
  }
}

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return documentsIn(path);
      return isRehearsalFile(entry.name) ||
        entry.name === GUARD_FILE ||
        (entry.name.endsWith('.toml') && looksLikeOurs(path))
        ? [path]
        : [];
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
  if (basename(file) === CONFIG_FILE || file === configFile()) return 'config';
  if (file.endsWith(REPRO_ENDING)) return 'exported test';
  if (basename(file) === GUARD_FILE) return 'guard';
  return isRehearsalFile(file) ? 'rehearsal' : undefined;
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
