import { isAbsolute, join, relative } from 'node:path';
import { kindOf } from '@understudy/agents';
import { executablesOnPath, isExecutable, scrubbedEnvironment } from '@understudy/kit';
import type { Issue } from './component.js';
import { startIssue } from './script-start.js';

const ROOT = /^["']?\$\{?CLAUDE_PLUGIN_ROOT\}?["']?\/(.+)$/;
const PROJECT = /^["']?\$\{?CLAUDE_PROJECT_DIR\}?["']?\/(.+)$/;
const UNQUOTED_ROOT = /^\$\{?CLAUDE_PLUGIN_ROOT\}?/;
/** What is made or fetched, and not kept with a project. */
const MADE = /^(?:\.\/)?(?:node_modules|\.?venv|dist|build|target|vendor|bin)\//;
/** Programs whose first argument is the script that they run. */
const INTERPRETERS = /^(?:bash|sh|zsh|node|bun|deno|python3?|ruby|perl|php)$/;
/** What a shell does itself. */
const SHELL_WORDS = new Set(
  (
    'if then else elif fi for while until do done case esac function select time in ' +
    '. : [ [[ ! { ( alias bg break cd command continue declare echo eval exec exit export false fg getopts hash help ' +
    'history jobs kill let local mapfile popd printf pushd pwd read readarray readonly return set shift shopt source ' +
    'test times trap true type typeset ulimit umask unalias unset wait'
  ).split(' '),
);

/** Where a hook is declared: in a plugin, or in the settings of a project. */
export interface HookPlace {
  root: string;
  isProject?: true;
}

/** What is wrong with what a hook's command runs; the CLI lists such a hook as if it were fine. */
export function scriptIssue(place: HookPlace, command: string, args?: readonly string[]): Issue | undefined {
  const { root, isProject } = place;
  const [first = '', ...others] = args === undefined ? words(command) : [command, ...args];
  const guarded = command.includes('||');
  return (
    (args === undefined && isProject !== true ? splitPath(root, command) : undefined) ??
    [first, ...others].map((word) => ownScript(place, word, word === first)).find((issue) => issue !== undefined) ??
    (guarded
      ? undefined
      : ((isProject === true ? undefined : relativeScript(root, first, others)) ?? missingProgram(first)))
  );
}

/** The scripts of a plugin or project that a hook's command runs. */
export function hookScripts(root: string, command: string, args?: readonly string[]): string[] {
  return (args === undefined ? words(command) : [command, ...args]).flatMap((word) => {
    const own = (ROOT.exec(word) ?? PROJECT.exec(word))?.[1]?.replace(/["']/g, '');
    const inside = own ?? (/^[\w.-][\w.-]*\/[\w./-]+$/.test(word) ? word : undefined);
    return inside === undefined || kindOf(join(root, inside)) !== 'file' ? [] : [join(root, inside)];
  });
}

/** A path with a space, not in quotes, is two words to the shell. */
function splitPath(root: string, command: string): Issue | undefined {
  if (!/\s/.test(root) || !words(command).some((word) => UNQUOTED_ROOT.test(word))) return undefined;
  return {
    reason: `the path of the plugin has a space, and \${CLAUDE_PLUGIN_ROOT} is not in quotes: the shell takes it for two words`,
    fix: 'Write "${CLAUDE_PLUGIN_ROOT}" in double quotes (in JSON: \\"${CLAUDE_PLUGIN_ROOT}\\").',
  };
}

/** A script of the plugin or project must be there; the one that is run itself must be executable. */
function ownScript({ root, isProject }: HookPlace, word: string, isProgram: boolean): Issue | undefined {
  const inside = (isProject === true ? PROJECT : ROOT).exec(word)?.[1]?.replace(/["']/g, '');
  // A name that the shell makes up itself cannot be looked up.
  if (inside === undefined || /[$*?`]/.test(inside) || (isProject === true && MADE.test(inside))) return undefined;
  const script = join(root, inside);
  if (kindOf(script) === undefined) {
    return {
      reason: `it runs ${relative(root, script)}, which does not exist: each run ends with exit code 127 or 1, and blocks nothing`,
      fix: `Add ${relative(root, script)}, or correct the command.`,
    };
  }
  if (!isProgram || isExecutable(script)) return startIssue({ root, file: script, isProgram });
  return {
    reason: `${relative(root, script)} is not executable: each run ends with exit code 126, and blocks nothing`,
    fix: `Run chmod +x ${relative(root, script)}, or name its interpreter in the command.`,
  };
}

/** Hooks run in the project: a relative path does not lead to the plugin. */
function relativeScript(root: string, first: string, [second = '']: readonly string[]): Issue | undefined {
  const script = INTERPRETERS.test(first) ? second : first;
  if (!/^[\w.-][\w./-]*$/.test(script) || !script.includes('/') || isAbsolute(script)) return undefined;
  if (kindOf(join(root, script)) !== 'file') return undefined;
  return {
    reason: `it runs ${script}, which the shell looks for in the user's project and not in the plugin`,
    fix: `Write "\${CLAUDE_PLUGIN_ROOT}/${script.replace(/^\.\//, '')}".`,
  };
}

function missingProgram(program: string): Issue | undefined {
  if (!/^[\w./+-]+$/.test(program) || SHELL_WORDS.has(program) || isFound(program)) return undefined;
  return {
    reason: `it runs ${program}, which does not exist on this machine: each run ends with exit code 127, and blocks nothing`,
    fix: `Correct the name, install ${program}, or bring what it does with the plugin.`,
  };
}

/** A relative path is looked for in a project that we do not know. */
function isFound(program: string): boolean {
  if (isAbsolute(program)) return kindOf(program) === 'file';
  if (program.includes('/')) return true;
  return executablesOnPath(program, scrubbedEnvironment()).length > 0;
}

/** The words of the first command in a line, as a shell would cut them, more or less; variables set for it left out. */
function words(command: string): string[] {
  const [first = ''] = command.trim().split(/[;&|\n<>]/);
  const found = first.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return found.slice(found.findIndex((word) => !/^\w+=/.test(word)));
}
