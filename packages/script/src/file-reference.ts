import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside, type Path, type UnlocatedProblem } from '@understudy/kit';

const MAX_BYTES = 8 * 1024 * 1024;

/** The top folder of a project has one of these. */
const PROJECT_MARKS = ['.git', 'package.json', '.claude-plugin'];

/** The content of a file. It is sent literally; placeholders in it are not filled. */
export class FileText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Keeps the text literal in a scenario that goes to another process as JSON. */
  toJSON(): { $text: string } {
    return { $text: this.text };
  }
}

/** Fields of tools that hold text, whatever kind of file the text is from. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  ...['command', 'content', 'description', 'file_text', 'new_source', 'new_string', 'old_string', 'patch', 'pattern'],
  ...['prompt', 'query', 'text', 'url'],
]);

/**
 * Replaces every `{ "$file" = "path" }` in a tool's input with the content of that file: parsed when it is a JSON file
 * and the field does not hold text, otherwise as text. This happens when the scenario is loaded, so the working directory does not matter later. `{ "$text" = "…" }` is a literal text.
 */
export function resolveFileReferences(
  value: unknown,
  path: Path,
  scenarioFile: string | undefined,
  findings: UnlocatedProblem[],
): unknown {
  if (Array.isArray(value))
    return value.map((entry, i) => resolveFileReferences(entry, [...path, i], scenarioFile, findings));
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === '$text') return new FileText(String((value as { $text: unknown }).$text));
  if (keys.length === 1 && keys[0] === '$file') {
    const { $file: name } = value as { $file: unknown };
    const read = readReference(name, scenarioFile, holdsText(path));
    if ('content' in read) return read.content;
    findings.push({ ...read, path: [...path, '$file'] });
    return '';
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      resolveFileReferences(entry, [...path, key], scenarioFile, findings),
    ]),
  );
}

/** The inputs of tools have rules of their own: a field may hold more than text. */
const INPUT = 'input';

/**
 * Replaces every other `{ "$file" = "path" }` of a document with the text of that file: what the model says, what the
 * user sends, the contents of a project's files. Placeholders in it are filled as in any text.
 */
export function withFileTexts(
  value: unknown,
  scenarioFile: string | undefined,
  findings: UnlocatedProblem[],
  path: Path = [],
): unknown {
  if (typeof value !== 'object' || value === null || path.at(-1) === INPUT) return value;
  if (Array.isArray(value)) return value.map((entry, i) => withFileTexts(entry, scenarioFile, findings, [...path, i]));
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === '$file') {
    const read = readReference((value as { $file: unknown }).$file, scenarioFile, true);
    if ('content' in read) return (read.content as FileText).text;
    findings.push({ ...read, path: [...path, '$file'] });
    return '…';
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, withFileTexts(entry, scenarioFile, findings, [...path, key])]),
  );
}

/** Whether the field at this place, or the one that its list is in, holds text. */
function holdsText(path: Path): boolean {
  const field = path.findLast((step) => typeof step === 'string');
  return typeof field === 'string' && TEXT_FIELDS.has(field);
}

function readReference(
  name: unknown,
  scenarioFile: string | undefined,
  asText: boolean,
): { content: unknown } | Omit<UnlocatedProblem, 'path'> {
  const code = 'FILE_REFERENCE';
  if (typeof name !== 'string' || name === '')
    return { code, message: '`$file` must be the path of a file', fix: 'Give a path relative to the scenario.' };
  if (isAbsolute(name)) {
    return {
      code,
      message: `\`$file\` is an absolute path: ${name}`,
      fix: 'Make it relative to the scenario, so that it works on every machine.',
    };
  }
  const folder = resolve(scenarioFile === undefined ? '.' : dirname(scenarioFile));
  try {
    const file = realpathSync(resolve(folder, name));
    const stats = statSync(file);
    if (!isInside(rootOf(realpathSync(folder)), file)) {
      return {
        code,
        message: `\`$file\` leads out of the project of the scenario: ${name}`,
        fix: 'Put the file beside the scenario, or below a folder of the same project.',
      };
    }
    if (!stats.isFile()) return { code, message: `${name} is not a file`, fix: 'Name a plain file.' };
    const { size } = stats;
    if (size > MAX_BYTES) return { code, message: `${name} is larger than 8 MB`, fix: 'Use a smaller file.' };
    const text = readFileSync(file, 'utf8');
    return { content: asText || !/\.json$/i.test(name) ? new FileText(text) : JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) {
      const message = `${name} is not valid JSON: ${error.message}`;
      return { code, message, fix: 'Correct the file, or give it another ending than .json to send it as text.' };
    }
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = missing ? `there is no file ${name}` : `${name} cannot be read: ${(error as Error).message}`;
    return { code, message, fix: 'Check the path; it is relative to the scenario file.' };
  }
}

/**
 * What a scenario may read: the project that it belongs to, or only its own folder. A scenario that somebody sent
 * must not read the keys of this user.
 */
function rootOf(folder: string): string {
  for (let at = folder; at !== dirname(at) && at !== homedir(); at = dirname(at)) {
    if (PROJECT_MARKS.some((name) => existsSync(join(at, name)))) return at;
  }
  return folder;
}
