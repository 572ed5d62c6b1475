import { isStringList } from '../../document/json.js';
import { compileRuleGlob } from '../permissions/rule-glob.js';

/** The files that a rule is for, by the `paths` of its front matter; none where it always counts. */
export function readRulePaths(written: unknown): string[] {
  const lines = typeof written === 'string' ? [written] : isStringList(written) ? written : [];
  const paths = lines
    .flatMap(splitAtCommas)
    .flatMap(expandBraces)
    .map((path) => path.replace(/\/\*\*$/, ''));
  return paths.every((path) => path === '**') ? [] : paths;
}

/** Whether a rule is for a file, which is given from the folder of the rule. */
export function isForFile(paths: readonly string[], file: string): boolean {
  return paths.some((path) => {
    const isAnchored = path.replace(/\/$/, '').includes('/');
    return compileRuleGlob(isAnchored ? path.replace(/^\//, '') : `**/${path}`).test(file);
  });
}

/** Not at those in braces. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [''];
  let open = 0;
  for (const character of text) {
    if (character === '{') open++;
    if (character === '}') open--;
    if (character === ',' && open <= 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function expandBraces(path: string): string[] {
  const [whole, before = '', choices = '', after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  if (whole === undefined) return [path];
  return choices.split(',').flatMap((choice) => expandBraces(`${before}${choice.trim()}${after}`));
}
