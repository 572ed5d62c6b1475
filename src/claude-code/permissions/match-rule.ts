import { homedir } from 'node:os';
import { relative, resolve } from 'node:path';
import { compileGlob } from './path-glob.js';
import type { PermissionRule } from './rules.js';

/**
 * Whether a Bash rule covers one command. `git push` is that command alone, `npm test:*` is
 * `npm test` with any arguments, and a star elsewhere stands for anything. A trailing ` *` may be empty.
 */
export function coversCommand(rule: PermissionRule, command: string): boolean {
  const { content } = rule;
  if (content === undefined) return true;
  const line = command.trim();
  if (content.endsWith(':*')) return startsWithWords(line, content.slice(0, -2));
  if (!content.includes('*')) return line === content;
  const trailing = content.endsWith(' *') && content.indexOf('*') === content.length - 1;
  if (trailing) return startsWithWords(line, content.slice(0, -2));
  return followsStars(content.split('*'), line);
}

function startsWithWords(line: string, words: string): boolean {
  return line === words || line.startsWith(`${words} `);
}

/**
 * Whether a path rule covers a file. `//x` is absolute, `~/x` is below home, `/x` is below the
 * folder of the settings, anything else is below the working directory, as in a gitignore file.
 */
export function coversPath(rule: PermissionRule, file: string, cwd: string): boolean {
  const { content } = rule;
  if (content === undefined) return true;
  const { base, pattern } = anchor(content, rule.root, cwd);
  const inside = relative(base, resolve(cwd, file));
  if (inside.startsWith('..')) return false;
  // As in a gitignore file, a bare name means one in any folder.
  const anywhere = content === pattern && !pattern.includes('/') ? [`**/${pattern}`] : [pattern];
  return anywhere.some((glob) => compileGlob(glob).test(inside) || compileGlob(`${glob}/**`).test(inside));
}

function anchor(content: string, root: string, cwd: string): { base: string; pattern: string } {
  if (content.startsWith('//')) return { base: '/', pattern: content.slice(2) };
  if (content.startsWith('~/')) return { base: homedir(), pattern: content.slice(2) };
  if (content.startsWith('/')) return { base: root, pattern: content.slice(1) };
  return { base: cwd, pattern: content.replace(/^\.\//, '') };
}

/** `WebFetch(domain:example.com)` covers that host and those below it. */
export function coversUrl(rule: PermissionRule, url: string): boolean {
  const { content } = rule;
  if (content === undefined) return true;
  if (!content.startsWith('domain:') || !URL.canParse(url)) return false;
  const domain = content.slice('domain:'.length);
  const { hostname } = new URL(url);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Whether a text has these parts in this order, the first at its start and the last at its end. */
function followsStars(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
