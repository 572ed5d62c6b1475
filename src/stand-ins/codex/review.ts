import { execFileSync } from 'node:child_process';
import { isObject, type JsonObject, parseJson } from '../../document/json.js';

/** What is to be reviewed. */
export type ReviewTarget =
  | { kind: 'uncommitted' }
  | { kind: 'base'; branch: string }
  | { kind: 'commit'; sha: string; title?: string }
  | { kind: 'custom'; instructions: string };

/** What the user sees of the request. */
export function reviewHint(target: ReviewTarget): string {
  switch (target.kind) {
    case 'uncommitted':
      return 'current changes';
    case 'base':
      return `changes against '${target.branch}'`;
    case 'commit':
      return `commit ${target.sha}${target.title === undefined ? '' : `: ${target.title}`}`;
    case 'custom':
      return target.instructions;
  }
}

/** What the model is asked. */
export function reviewPrompt(target: ReviewTarget, cwd: string): string {
  switch (target.kind) {
    case 'uncommitted':
      return 'Review the current code changes (staged, unstaged, and untracked files) and provide prioritized findings.';
    case 'base':
      return basePrompt(target.branch, mergeBase(target.branch, cwd));
    case 'commit': {
      const title = target.title === undefined ? '' : ` ("${target.title}")`;
      return `Review the code changes introduced by commit ${target.sha}${title}. Provide prioritized, actionable findings.`;
    }
    case 'custom':
      return target.instructions;
  }
}

function basePrompt(branch: string, base: string | undefined): string {
  const changes = `Review the code changes against the base branch '${branch}'.`;
  if (base !== undefined)
    return `${changes} The merge base commit for this comparison is ${base}. Run \`git diff ${base}\` to inspect the changes relative to ${branch}. Provide prioritized, actionable findings.`;
  const find = `git merge-base HEAD "$(git rev-parse --abbrev-ref "${branch}@{upstream}")"`;
  return `${changes} Start by finding the merge diff between the current branch and ${branch}'s upstream e.g. (\`${find}\`), then run \`git diff\` against that SHA to see what changes we would merge into the ${branch} branch. Provide prioritized, actionable findings.`;
}

function mergeBase(branch: string, cwd: string): string | undefined {
  try {
    const found = execFileSync('git', ['merge-base', 'HEAD', branch], { cwd, encoding: 'utf8', stdio: 'pipe' });
    return found.trim();
  } catch {
    return undefined;
  }
}

/** What is said when the reviewer has said nothing. */
export const INTERRUPTED = 'Review was interrupted. Please re-run /review and wait for it to complete.';

/** What the user reads of a reviewer's last words: they are JSON with findings, or shown as they are. */
export function reviewOutput(text: string | undefined): string {
  if (text === undefined) return INTERRUPTED;
  const review = readReview(text) ?? readReview(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  if (review === undefined) return text;
  const findings = review.findings.map(
    ({ title, body, place: { path, start, end } }) =>
      `- ${title} — ${path}:${start}-${end}${linesOf(body)
        .map((line) => `\n  ${line}`)
        .join('')}`,
  );
  const head = findings.length === 1 ? 'Review comment:' : 'Full review comments:';
  const parts = [review.explanation.trim(), ...(findings.length === 0 ? [] : [head, ...findings])];
  const told = parts.filter((part) => part !== '').join('\n\n');
  return told === '' ? 'Reviewer failed to output a response.' : told;
}

interface Finding {
  title: string;
  body: string;
  place: { path: string; start: number; end: number };
}

function readReview(text: string): { explanation: string; findings: Finding[] } | undefined {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value['findings'])) return undefined;
  const { overall_correctness: correctness, overall_explanation: explanation } = value;
  if (typeof correctness !== 'string' || typeof explanation !== 'string') return undefined;
  if (typeof value['overall_confidence_score'] !== 'number') return undefined;
  const findings = value['findings'].map((finding) => (isObject(finding) ? readFinding(finding) : undefined));
  return findings.includes(undefined) ? undefined : { explanation, findings: findings as Finding[] };
}

function readFinding(finding: JsonObject): Finding | undefined {
  const { title, body, confidence_score: score, priority, code_location: location } = finding;
  const range = isObject(location) ? location['line_range'] : undefined;
  if (!isObject(location) || !isObject(range)) return undefined;
  const { absolute_file_path: path } = location;
  const { start, end } = range;
  const areTexts = [title, body, path].every((part) => typeof part === 'string');
  if (!areTexts || typeof score !== 'number' || !Number.isInteger(priority)) return undefined;
  if (![start, end].every((line) => Number.isInteger(line) && (line as number) >= 0)) return undefined;
  const place = { path: path as string, start: start as number, end: end as number };
  return { title: title as string, body: body as string, place };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
