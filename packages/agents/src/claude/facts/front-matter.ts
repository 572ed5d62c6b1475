import { isObject, type JsonObject, lazyRequire } from '@understudy/kit';
import type * as Yaml from 'yaml';

/** What the CLI makes of the front matter of a command, an agent or a skill. */
export interface FrontMatter {
  /**
   * `none`: there is none. `open`: it is never closed, so all of it is body. `read`: valid YAML. `repaired`: the CLI
   * had to put values in quotes first. `dropped`: that did not help, and the CLI goes on without all of it.
   */
  state: 'none' | 'open' | 'read' | 'repaired' | 'dropped';
  /** What the CLI keeps. */
  fields: JsonObject;
  body: string;
  /** Fields that the file has and the CLI does not. */
  lost: string[];
  /** What is wrong with the YAML as it is written. */
  problem?: string;
}

/** It ends at the next `---`, wherever that stands. */
const HEAD = /^---\s*\n([\s\S]*?)---\s*\n?/;

/** Reads the front matter of a Markdown file as the CLI does (also in 2.1.197). */
export function readFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '');
  const [all, head] = HEAD.exec(text) ?? [];
  if (all === undefined || head === undefined) {
    const open = /^---\s*\n/.test(text);
    return { state: open ? 'open' : 'none', fields: {}, body: text, lost: open ? writtenFields(text) : [] };
  }
  const matter = { ...readHead(head), body: text.slice(all.length) };
  const kept = new Set(Object.keys(matter.fields));
  return { ...matter, lost: writtenFields(text).filter((name) => !kept.has(name)) };
}

/** A field as text: also a number or a boolean is meant as text. Empty is absent. */
export function textField({ fields }: Pick<FrontMatter, 'fields'>, name: string): string | undefined {
  const value = fields[name];
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** A list of tools: a list, or text with commas or spaces. What is in parentheses belongs to its rule. */
export function toolListField({ fields }: Pick<FrontMatter, 'fields'>, name: string): string[] {
  const value = fields[name];
  if (Array.isArray(value)) return value.map((item) => String(item).trim()).filter((item) => item !== '');
  // A list that became text when the front matter was repaired is still read as one.
  const text = (textField({ fields }, name) ?? '').replace(/^\[(.*)\]$/, '$1');
  return text
    .split(/[,\s](?![^(]*\))/)
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((item) => item !== '');
}

function readHead(head: string): Pick<FrontMatter, 'state' | 'fields' | 'problem'> {
  const asWritten = parseYaml(head);
  if (asWritten.problem === undefined) return { state: 'read', fields: asWritten.fields };
  const repaired = parseYaml(quoteValues(head));
  const { problem } = asWritten;
  if (repaired.problem === undefined) return { state: 'repaired', fields: repaired.fields, problem };
  return { state: 'dropped', fields: {}, problem };
}

const SPECIAL = /[{}[\]*&#!|>%@`]|: /;

/** What the CLI tries when the YAML is not valid: each value with a special character is put in double quotes. */
function quoteValues(head: string): string {
  return head
    .split('\n')
    .map((line) => {
      const [, name, value] = /^([A-Za-z_-]+):\s+(.+)$/.exec(line) ?? [];
      if (name === undefined || value === undefined || isQuoted(value) || !SPECIAL.test(value)) return line;
      return `${name}: "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    })
    .join('\n');
}

function isQuoted(value: string): boolean {
  return /^"[\s\S]*"$/.test(value) || /^'[\s\S]*'$/.test(value);
}

function parseYaml(text: string): { fields: JsonObject; problem?: string } {
  const { parseDocument } = lazyRequire('yaml') as typeof Yaml;
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
  const error = document.errors.find(({ code, pos }) => !isTolerated(code, text, pos[0]));
  if (error !== undefined) return { fields: {}, problem: (error.message.split('\n')[0] ?? '').replace(/:$/, '') };
  try {
    const value: unknown = document.toJS();
    return { fields: isObject(value) ? value : {} };
  } catch (failure) {
    // An alias without an anchor, or far too many of them.
    return { fields: {}, problem: failure instanceof Error ? failure.message : String(failure) };
  }
}

/** The CLI's YAML parser takes tabs for indentation, though not at the very start, and text that begins with a comma. */
function isTolerated(code: string, text: string, at: number): boolean {
  if (code === 'TAB_AS_INDENT') return text.slice(0, at).trim() !== '';
  return code === 'BAD_SCALAR_START' && text[at] === ',';
}

/** The names that stand at the beginning of a line, up to a line that holds only `---`. */
function writtenFields(text: string): string[] {
  const lines = text.split(/\r?\n/).slice(1);
  const end = lines.findIndex((line) => line.trimEnd() === '---');
  const names = lines.slice(0, Math.max(end, 0)).map((line) => /^([A-Za-z_][\w-]*):(?:\s|$)/.exec(line)?.[1]);
  return [...new Set(names.flatMap((name) => name ?? []))];
}
