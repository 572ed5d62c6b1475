import type { ErrorCode, Problem, SourceLocation } from '../errors.js';
import { codeFrame, linesOf } from './code-frame.js';
import { defined } from './defined.js';
import { inJson } from './json-fix.js';
import { createLocator } from './locate.js';
import { formatPath, type Path } from './path.js';
import type { SourceText } from './source.js';

/** A problem with its path in the document, but without its line and column. */
export interface UnlocatedProblem {
  code: ErrorCode;
  message: string;
  fix?: string;
  /** The name that the field must have, where that is certain. */
  new_name?: string;
  path: Path;
}

/** Adds line, column and code frame to problems, and sorts them by their position. */
export function locateProblems(source: SourceText, findings: readonly UnlocatedProblem[]): Problem[] {
  if (findings.length === 0) return [];
  const locators = new Map<SourceText, (finding: UnlocatedProblem, at: Path) => Problem>();
  const problems = findings.map((finding) => {
    const at = source.origin?.(finding.path) ?? { source, path: finding.path };
    const locate = locators.get(at.source) ?? problemLocator(at.source);
    locators.set(at.source, locate);
    return locate(finding, at.path);
  });
  return problems.sort(
    (a, b) =>
      (a.location.file ?? '').localeCompare(b.location.file ?? '') ||
      (a.location.line ?? 0) - (b.location.line ?? 0) ||
      (a.location.column ?? 0) - (b.location.column ?? 0),
  );
}

function problemLocator(source: SourceText): (finding: UnlocatedProblem, at: Path) => Problem {
  const locate = createLocator(source);
  const lines = source.text === undefined ? undefined : linesOf(source.text);
  // YAML reads what JSON writes.
  const written = source.format === 'toml' ? (text: string) => text : inJson;
  return ({ code, message, fix, new_name }, path) => {
    const position = locate(path);
    return {
      code,
      message: written(message),
      ...(fix === undefined ? {} : { fix: written(fix) }),
      ...defined({ new_name }),
      path: formatPath(path),
      location: { ...defined({ file: source.file }), ...(position ?? pathOf(source, path)) },
      ...(position === undefined || lines === undefined
        ? {}
        : { frame: codeFrame(lines, position.line, position.column) }),
    };
  };
}

/** In a module, which has no lines that we know. */
function pathOf({ file }: SourceText, path: Path): SourceLocation {
  return file === undefined || path.length === 0 ? {} : { path: formatPath(path) };
}
