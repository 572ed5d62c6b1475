import { codeFrame, createLocator, formatPath, isModuleFile, linesOf, type Path } from '@understudy/kit';
import { type CheckResult, hasPassed } from '@understudy/verdict';
import type { Rehearsal } from './load.js';

/** Gives each check that did not pass the line of its expectation. Green runs never pay for the positions. */
export function checkLocator({ source, file }: Pick<Rehearsal, 'source' | 'file'>) {
  let find: ReturnType<typeof createLocator> | undefined;
  return (path: Path, checks: readonly CheckResult[]): CheckResult[] =>
    checks.map((check) => {
      if (hasPassed(check)) return check;
      find ??= createLocator(source);
      const position = find(path);
      // What is written in code has no line that we know, but it has a path.
      if (position === undefined || source.text === undefined) {
        return isModuleFile(file) ? { ...check, defined_at: { file, path: formatPath(path) } } : check;
      }
      const frame = codeFrame(linesOf(source.text), position.line, position.column);
      return { ...check, defined_at: { file, ...position, frame } };
    });
}

/** The path of the first rule that a check of the script names; that of all rules where it names none. */
export function rulePathOf({ subject }: CheckResult): Path {
  const [path = ''] = subject.kind === 'rule' ? subject.paths : [];
  const index = /^responses\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? ['responses'] : ['responses', Number(index)];
}
