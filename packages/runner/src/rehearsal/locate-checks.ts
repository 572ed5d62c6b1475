import {
  codeFrame,
  createLocator,
  formatPath,
  isModuleFile,
  linesOf,
  type Path,
  type SourceText,
} from '@understudy/kit';
import { type CheckResult, hasPassed } from '@understudy/verdict';
import type { Rehearsal } from './load.js';

/** Gives each check that did not pass the line of its expectation. Green runs never pay for the positions. */
export function checkLocator({ source, file }: Pick<Rehearsal, 'source' | 'file'>) {
  const finders = new Map<SourceText, ReturnType<typeof createLocator>>();
  return (path: Path, checks: readonly CheckResult[]): CheckResult[] =>
    checks.map((check) => {
      if (hasPassed(check)) return check;
      const { source: own, path: at } = source.origin?.(path) ?? { source, path };
      const find = finders.get(own) ?? createLocator(own);
      finders.set(own, find);
      const whose = own === source ? file : (own.file ?? file);
      const position = find(at);
      // What is written in code has no line that we know, but it has a path.
      if (position === undefined || own.text === undefined) {
        return isModuleFile(whose) ? { ...check, defined_at: { file: whose, path: formatPath(at) } } : check;
      }
      const frame = codeFrame(linesOf(own.text), position.line, position.column);
      return { ...check, defined_at: { file: whose, ...position, frame } };
    });
}

/** The path of the first rule that a check of the script names; that of all rules where it names none. */
export function rulePathOf({ subject }: CheckResult): Path {
  const [path = ''] = subject.kind === 'rule' ? subject.paths : [];
  const index = /^responses\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? ['responses'] : ['responses', Number(index)];
}
