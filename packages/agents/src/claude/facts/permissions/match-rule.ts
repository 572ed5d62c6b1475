import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import type { JsonObject } from '@understudy/kit';
import { type LinearRegex, regexTest, translateGlob } from '@understudy/script';
import { EDITING_TOOLS, READING_TOOLS } from '../tools.js';
import type { CommandForms } from './command-forms.js';
import { fullPath } from './full-path.js';
import type { PermissionRule } from './rules.js';

/**
 * Whether a Bash rule covers a command that may be named in one of these ways. `git push` is that command alone,
 * `npm test:*` is `npm test` with any arguments, and a star elsewhere stands for anything. A trailing ` *` may be empty.
 */
export function coversCommand({ content }: PermissionRule, { exact, open }: CommandForms): boolean {
  if (content === undefined) return true;
  if (content.endsWith(':*')) {
    const words = content.slice(0, -2);
    return exact.includes(words) || open.some((line) => startsWithWords(line, words));
  }
  if (!content.includes('*')) return exact.includes(content);
  const trailing = content.endsWith(' *') && content.indexOf('*') === content.length - 1;
  if (trailing) return open.some((line) => startsWithWords(line, content.slice(0, -2)));
  const parts = content.split('*');
  return open.some((line) => followsStars(parts, line));
}

/** Whether a Bash rule is about a whole line, and about it alone or as the beginning. */
export function coversLine({ content }: PermissionRule, names: readonly string[]): boolean {
  return content !== undefined && names.includes(content.replace(/:\*$/, ''));
}

function startsWithWords(line: string, words: string): boolean {
  return line === words || line.startsWith(`${words} `);
}

/**
 * Whether a path rule covers a file. `//x` is absolute, `~/x` is below home, `/x` is below the
 * folder of the settings, anything else is below the working directory, as in a gitignore file.
 */
export function coversPath(rule: PermissionRule, file: string, cwd: string): boolean {
  return covers(rule, file, cwd, (pattern) => pattern);
}

/** The same for a rule that allows: `docs/**` is about the folder, too. */
export function coversPathOrFolder(rule: PermissionRule, file: string, cwd: string): boolean {
  if (coversPath(rule, file, cwd)) return true;
  return rule.content?.endsWith('/**') === true && coversPath(rule, join(file, 'x'), cwd);
}

/** The same for a rule that denies or asks: the folder in `docs/**` is one of any place, as if it were `docs`. */
export function coversPathWidely(rule: PermissionRule, file: string, cwd: string): boolean {
  return covers(rule, file, cwd, (pattern) => pattern.replace(/(?<=[^/*])\/\*\*$/, ''));
}

function covers(
  { content, root }: PermissionRule,
  file: string,
  cwd: string,
  shorten: (pattern: string) => string,
): boolean {
  if (content === undefined) return true;
  const { base, pattern, isAnchored } = anchor(content, root, cwd);
  const inside = relative(base, fullPath(cwd, file));
  if (inside.startsWith('..')) return false;
  const glob = shorten(pattern.replace(/\/{2,}/g, '/')).replace(/\*\*\/$/, '**');
  // As in a gitignore file, a bare name means one in any folder.
  const isAnywhere = !isAnchored && !glob.replace(/\/$/, '').includes('/');
  return compileRuleGlob(isAnywhere ? `**/${glob}` : glob).test(inside);
}

/** As a line of a gitignore file, in letters of any case, and for all that is below a folder. `!` in brackets is a character. */
function compileRuleGlob(glob: string): Pick<LinearRegex, 'test'> {
  const below = glob.endsWith('/') ? '/.*' : '(?:/.*)?';
  const source = translateGlob(glob.replace(/\/+$/, ''), { path: true, escapes: true, negation: '' });
  return regexTest(`^${source}${below}$`, { ignoreCase: true });
}

function anchor(content: string, root: string, cwd: string): { base: string; pattern: string; isAnchored: boolean } {
  if (content.startsWith('//')) return { base: '/', pattern: content.slice(2), isAnchored: true };
  if (content.startsWith('~/')) return { base: homedir(), pattern: content.slice(2), isAnchored: true };
  if (content.startsWith('/')) return { base: root, pattern: content.slice(1), isAnchored: true };
  return { base: cwd, pattern: content.replace(/^\.\//, ''), isAnchored: false };
}

/** What rules name in ways of their own. */
const NAMED_OTHERWISE = new Set(['command', 'file_path', 'notebook_path', 'path', 'url']);

/** Whether a rule names a parameter of a tool and its value: `timeout:5000`. With tools for files, the value is no `*`. */
export function coversParameter({ tool, content = '' }: PermissionRule, input: JsonObject): boolean {
  const [, name = '', value = ''] = /^(\w+):([\s\S]+)$/.exec(content) ?? [];
  const given = Object.hasOwn(input, name) ? input[name] : undefined;
  const isOfFiles = READING_TOOLS.has(tool) || EDITING_TOOLS.has(tool);
  if (given === undefined || tool === 'WebFetch' || NAMED_OTHERWISE.has(name) || (value === '*' && isOfFiles))
    return false;
  return followsStars(value.split('*'), String(given));
}

/** `WebFetch(domain:example.com)` covers that host, `domain:*.example.com` those below it. */
export function coversUrl({ content }: PermissionRule, url: string): boolean {
  if (content === undefined) return true;
  if (!content.startsWith('domain:') || !URL.canParse(url)) return false;
  const domain = content.slice('domain:'.length).toLowerCase();
  return followsStars(domain.split('*'), new URL(url).hostname);
}

/** `Skill(mine)` covers that skill, `Skill(mine:*)` and `Skill(mine *)` those of a plugin with that name as well. */
export function coversSkill({ content = '' }: PermissionRule, skill: string): boolean {
  const name = skill.replace(/^\//, '');
  const [written = '', wide] = content.replace(/^\//, '').split(/(:\*| \*)$/);
  return name === written || (wide !== undefined && name.startsWith(`${written}:`));
}

/** Whether a text has these parts in this order, the first at its start and the last at its end. */
function followsStars(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
