import { parse } from 'yaml';

export interface FrontMatter {
  state: 'none' | 'read' | 'guessed' | 'open';
  fields: Record<string, unknown>;
  /** Why it had to be guessed at. */
  problem?: string;
}

/**
 * Reads the front matter of a Markdown file. Where it is not valid YAML the CLI takes it line by line,
 * as text; so do we, and say so. A fence that is never closed makes all of it part of the body.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return { state: 'none', fields: {} };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) return { state: 'open', fields: {} };
  const inner = lines.slice(1, end);
  try {
    const fields: unknown = parse(inner.join('\n'), { logLevel: 'error' });
    return { state: 'read', fields: isRecord(fields) ? fields : {} };
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { state: 'guessed', fields: lineByLine(inner), problem: problem.replace(/:$/, '') };
  }
}

/** A field that is text, or a number that was meant as text. */
export function textField({ fields }: FrontMatter, name: string): string | undefined {
  const value = fields[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function lineByLine(lines: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const line of lines) {
    const found = /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line);
    if (found?.[1] !== undefined) fields[found[1]] = found[2] ?? '';
  }
  return fields;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
