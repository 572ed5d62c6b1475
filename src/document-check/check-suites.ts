import { countOf, defined, InvalidDocumentError, type Problem, type UnderstudyError } from '@understudy/kit';
import type { OwnSuites } from '@understudy/suites';
import type { CheckedDocument } from './check-document.js';

/** The look at what suites of the user have behind paths: each file with its entries, or with what is wrong. */
export function checkSuites<Tools>(suites: OwnSuites<Tools>, paths: readonly string[]): CheckedDocument[] {
  const all = suites.entries(paths, {});
  const files = new Set(all.map(({ file = '' }) => file));
  return [...files].map((file) => {
    const entries = all.filter((entry) => entry.file === file);
    const errors = entries.flatMap(({ broken }) => (broken === undefined ? [] : problemsOf(broken, file)));
    const ok = errors.length === 0;
    const summary = ok ? countOf(entries.length, 'entry', 'entries') : countOf(errors.length, 'problem');
    return { file, kind: 'suite', ok, summary, errors, warnings: [] };
  });
}

function problemsOf(error: UnderstudyError, file: string): readonly Problem[] {
  if (error instanceof InvalidDocumentError) return error.problems;
  const { code, message, fix, location = { file } } = error;
  return [{ code, message, ...defined({ fix }), location, path: '' }];
}
