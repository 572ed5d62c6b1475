import { dirname, isAbsolute, join, relative } from 'node:path';
import { kindOf } from '@understudy/agents';
import { executablesOnPath, readIfThere, scrubbedEnvironment } from '@understudy/kit';
import type { Issue } from './component.js';

/** A script of a plugin that a hook runs. */
export interface RunScript {
  root: string;
  file: string;
  /** It is started itself, so the kernel reads its first line; otherwise an interpreter is named in the command. */
  isProgram: boolean;
}

const NOTHING = 'each run ends with exit code 126 or 127, and blocks nothing';
const SHELL = /(?:^|\/)(?:ba|da|z|k)?sh$/;

/** Why a script that is there cannot do its work: what its first line names, or what it hands over to, is missing. */
export function startIssue({ root, file, isProgram }: RunScript): Issue | undefined {
  const text = readIfThere(file) ?? '';
  const shown = relative(root, file);
  const [first = ''] = text.split('\n', 1);
  const interpreter = interpreterOf(first);
  const wrong = isProgram ? wrongStart(shown, first, interpreter) : undefined;
  const isShell = SHELL.test(interpreter ?? '') || /\.(?:ba|z)?sh$/.test(file);
  return wrong ?? (isShell ? missingSuccessor(root, shown, text) : undefined);
}

/** The program of a `#!` line: `node` of `#!/usr/bin/env -S node --flag`. */
function interpreterOf(line: string): string | undefined {
  if (!line.startsWith('#!')) return undefined;
  const [program = '', ...rest] = line.slice(2).trim().split(/\s+/);
  if (!/(?:^|\/)env$/.test(program)) return program;
  return rest.map((word) => word.replace(/^-S/, '')).find((word) => word !== '' && !/^-|=/.test(word));
}

function wrongStart(shown: string, line: string, interpreter: string | undefined): Issue | undefined {
  if (interpreter === undefined) return undefined;
  if (line.endsWith('\r')) {
    return {
      reason: `the lines of ${shown} end as on Windows (CRLF), so the system looks for a program ${JSON.stringify(`${interpreter}\r`)}: ${NOTHING}`,
      fix: `Give ${shown} the line ends of Unix (LF), and keep them with a line in .gitattributes: *.sh text eol=lf`,
    };
  }
  if (isThere(interpreter)) return undefined;
  return {
    reason: `${shown} begins with ${line.trim()}, and there is no program ${interpreter} on this machine: ${NOTHING}`,
    fix: `Install ${interpreter}, or name another interpreter in the first line of ${shown}.`,
  };
}

function isThere(program: string): boolean {
  return isAbsolute(program)
    ? kindOf(program) === 'file'
    : executablesOnPath(program, scrubbedEnvironment()).length > 0;
}

/** What hands over in any case, as it is not indented: to a file beside the script or in the plugin, or to a program. */
const HANDS_OVER =
  /^exec\s+(?:(?:(?:ba|z)?sh|node|python3?)\s+)?(?:(\$\(dirname [^)]*\)|\$\{?CLAUDE_PLUGIN_ROOT\}?)\/)?([\w./+-]+)(?=\s|$)/;

/** A script that hands over to a file or a program that is not there. One that it names twice, it may look for first. */
function missingSuccessor(root: string, shown: string, text: string): Issue | undefined {
  for (const line of text.split(/\r?\n/)) {
    const [, folder, next] = (line.includes('||') ? null : HANDS_OVER.exec(line.replace(/["']/g, ''))) ?? [];
    if (next === undefined || text.split(next).length > 2) continue;
    const base = folder?.startsWith('$(dirname') ? dirname(join(root, shown)) : root;
    const file = folder === undefined ? undefined : join(base, next);
    if (file === undefined ? isAnywhere(next) : kindOf(file) !== undefined) continue;
    const missing = file === undefined ? next : relative(root, file);
    return {
      reason: `${shown} hands over to ${missing}, which does not exist: ${NOTHING}`,
      fix: `Add ${missing}, or correct the line "${line.trim()}" in ${shown}.`,
    };
  }
  return undefined;
}

/** A relative path is looked for in a project that we do not know. */
function isAnywhere(program: string): boolean {
  return (program.includes('/') && !isAbsolute(program)) || isThere(program);
}
