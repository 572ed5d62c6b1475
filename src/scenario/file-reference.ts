import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Path } from '../document/path.js';
import type { UnlocatedProblem } from '../document/problems.js';

const MAX_BYTES = 8 * 1024 * 1024;

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

/**
 * Replaces every `{ "$file" = "path" }` in a tool's input with the content of that file. This happens when the
 * scenario is loaded, so the working directory does not matter later. `{ "$text" = "…" }` is a literal text.
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
    const content = readReference((value as { $file: unknown }).$file, scenarioFile);
    if (content instanceof FileText) return content;
    findings.push({ ...content, path: [...path, '$file'] });
    return '';
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      resolveFileReferences(entry, [...path, key], scenarioFile, findings),
    ]),
  );
}

function readReference(name: unknown, scenarioFile: string | undefined): FileText | Omit<UnlocatedProblem, 'path'> {
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
  const file = resolve(scenarioFile === undefined ? '.' : dirname(scenarioFile), name);
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES) return { code, message: `${name} is larger than 8 MB`, fix: 'Use a smaller file.' };
    return new FileText(readFileSync(file, 'utf8'));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = missing ? `there is no file ${name}` : `${name} cannot be read: ${(error as Error).message}`;
    return { code, message, fix: 'Check the path; it is relative to the scenario file.' };
  }
}
