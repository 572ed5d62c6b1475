import type { SimpleCommand } from './bash-command.js';
import { ADDED_TO, BARE, FREE, VERSIONED, WITH_OPTIONS } from './looking-commands.js';
import { type OptionTable, operandsOf, readOptionTable } from './option-table.js';
import { isHarmlessVariable } from './wrappers.js';

/** Commands that change files, which a mode that accepts edits lets through. */
const CHANGING = new Set(['cp', 'mkdir', 'mv', 'rm', 'rmdir', 'sed', 'tee', 'touch']);

const FIND_ACTIONS = new Set(
  '-delete -exec -execdir -files0-from -fls -fprint -fprint0 -fprintf -ok -okdir'.split(' '),
);

/** Commands that must not have a pattern of names. */
const PATTERNLESS = new Set(['file', 'git']);

/** An argument with which a looking command does more than look. */
export function actionOfFind({ program }: SimpleCommand): string | undefined {
  return program[0] === 'find' ? program.find((word) => FIND_ACTIONS.has(word)) : undefined;
}

export function onlyLooks(command: SimpleCommand): boolean {
  if (command.writesTo.length > 0) return false;
  const { words } = command;
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  // A variable is set, and nothing else.
  if (first === -1) return words.length === 1;
  if (!words.slice(0, first).every(isHarmlessVariable)) return false;
  // What the shell fills in could be an option.
  if (command.hasPattern && PATTERNLESS.has(words[first] ?? '')) return false;
  return looks(words.slice(first));
}

function looks([name = '', ...rest]: readonly string[]): boolean {
  if (FREE.has(name)) return true;
  if (BARE.has(name)) return rest.length === 0 || (name === 'history' && rest.every((word) => /^\d+$/.test(word)));
  const version = VERSIONED.get(name);
  if (version !== undefined) return rest.length === 1 && version.includes(rest[0] ?? '');
  if (name === 'git') return looksAtGit(rest);
  const own = OWN_WAYS.get(name);
  if (own !== undefined) return own(rest);
  const operands = operandsFor(SAME.get(name) ?? name, rest);
  return operands !== undefined && (OPERANDS.get(name)?.(operands, rest) ?? true);
}

/** Other names of the same program. */
const SAME = new Map(Object.entries({ egrep: 'grep', fgrep: 'grep', fdfind: 'fd' }));

type OperandCheck = (operands: readonly string[], words: readonly string[]) => boolean;

/** What may stand behind the options, where not everything may. */
const OPERANDS = new Map<string, OperandCheck>(
  Object.entries({
    date: (operands) => operands.every((word) => word.startsWith('+')),
    hostname: hasNone,
    ss: hasNone,
    uniq: hasNone,
    // Letters without a dash are options, too: `e` shows the environment.
    ps: ([first], words) =>
      first === undefined ||
      (words[0] === first && words.every((word) => !word.startsWith('-')) && /^[a-df-z]+$/i.test(first)),
    'git branch': fitsList,
    'git tag': fitsList,
    'git ls-remote': hasNone,
    'git reflog': (operands, [first = '']) => hasNone(operands) || /^(?:-.*|show|list)$/.test(first),
    'git config': (operands, words) => words[0] === '--get' && operands.length <= 1,
  } satisfies Record<string, OperandCheck>),
);

function hasNone(operands: readonly string[]): boolean {
  return operands.length === 0;
}

/** Names and patterns belong to a list; without one they are what is made. */
function fitsList(operands: readonly string[], words: readonly string[]): boolean {
  const listing = /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at)(?:=|$)/;
  return hasNone(operands) || words.some((word) => listing.test(word));
}

/** Commands that are looked at in a way of their own. */
const OWN_WAYS = new Map<string, (rest: readonly string[]) => boolean>(
  Object.entries({
    '[': (rest) => rest.at(-1) === ']',
    '[[': (rest) => rest.at(-1) === ']]',
    builtin: (rest) => looks(rest),
    docker: ([sub = '', ...more]) =>
      ['ps', 'images'].includes(sub) || (['logs', 'inspect'].includes(sub) && more.length > 0),
    find: (rest) => !rest.some((word) => FIND_ACTIONS.has(word)),
    ip: (rest) => rest.length === 1 && rest[0] === 'addr',
    jq: (rest) =>
      rest.some((word) => !word.startsWith('-')) &&
      !rest.some((word) => readsOtherFiles(word) || /^(?:-\w=.*|--(?:argfile|raw-output0)(?:=.*)?)$/.test(word)) &&
      !rest.some((word) => /\benv\b|\$ENV|\b(?:include|import)\s*"|\bsystem\s*\(|^\$/.test(word)),
    printf: (rest) => !rest[0]?.startsWith('-'),
    sed: looksWithSed,
    timeout: ([limit = '', ...more]) => /^\d+(?:\.\d+)?[smhd]?$/.test(limit) && looks(more),
    tput: ([first = '']) => !['-S', '--version', 'clear', 'reset'].includes(first),
    xargs: (rest) => {
      const added = addedByXargs(rest);
      return added !== undefined && (added.length === 0 || (ADDED_TO.has(added[0] ?? '') && looks(added)));
    },
  } satisfies Record<string, (rest: readonly string[]) => boolean>),
);

/** An option with which `jq` reads a program or other files. */
export function readsOtherFiles(word: string): boolean {
  return /^(?:-f|-L|--(?:from-file|rawfile|slurpfile)(?:=.*)?)$/.test(word);
}

/** The command that `xargs` starts, when its own options are known. */
function addedByXargs(rest: readonly string[]): readonly string[] | undefined {
  const table = tableOf('xargs');
  let at = 0;
  for (; rest[at]?.startsWith('-'); at++) {
    const kind = table?.get(rest[at] ?? '');
    if (kind === undefined) return undefined;
    if (kind !== '') at++;
    // `-I {}` is for what follows.
    if (kind === '=' && at >= rest.length - 1) return undefined;
    if (kind === '#' && !/^\d+$/.test(rest[at] ?? '')) return undefined;
  }
  return rest.slice(at);
}

/** Lines by their numbers (`-n 5,10p`), or one plain replacement where no file is named. */
function looksWithSed(rest: readonly string[]): boolean {
  const isOption = (word: string): boolean => /^-(?:[nEr]|-quiet|-silent|-regexp-extended)$/.test(word);
  const options = rest.filter(isOption);
  const [script = '', ...files] = rest.filter((word) => !isOption(word));
  const isQuiet = options.some((option) => /^-(?:n|-quiet|-silent)$/.test(option));
  if (isQuiet && /^(?:\d+(?:,\d+)?)?p(?:;(?:\d+(?:,\d+)?)?p)*$/.test(script)) return true;
  return files.length === 0 && /^s\/[^/$;]*\/[^/$;]*\/[gpimIM\d]*$/.test(script);
}

/** The files that a command changes, when it is one of the known file commands. */
export function changedFiles(command: SimpleCommand): { by: string; files: string[] } | undefined {
  const [name, ...rest] = command.program;
  if (command.writesTo.length > 0) return { by: 'Output redirection', files: command.writesTo };
  if (name === undefined || !CHANGING.has(name)) return undefined;
  const operands = rest.filter((word) => !word.startsWith('-'));
  if (operands.length === 0) return undefined;
  if (name !== 'sed') return { by: name, files: operands };
  return looksWithSed(rest) || operands.length < 2 ? undefined : { by: name, files: operands.slice(1) };
}

const GIT_WITH_ACTION = new Set(['remote', 'stash', 'worktree']);
/** A number of commits, as in `git log -5`. */
const COUNTED = /^git (?:diff|log|reflog|rev-list|shortlog|show|stash list|stash show)$/;

function looksAtGit(rest: readonly string[]): boolean {
  const [sub = '', ...more] = rest;
  if (sub === 'remote') return /^(?:-v|--verbose|show -n \S+)?$/.test(more.join(' '));
  const [name, words] = GIT_WITH_ACTION.has(sub)
    ? [`git ${sub} ${more[0] ?? ''}`, more.slice(1)]
    : [`git ${sub}`, more];
  const plain = words.filter((word) => !(COUNTED.test(name) && /^-\d+$/.test(word)) && !isFormat(name, word));
  const operands = operandsFor(name, plain);
  return operands !== undefined && (OPERANDS.get(name)?.(operands, words) ?? true);
}

/** How commits and references are to be shown. */
function isFormat(name: string, word: string): boolean {
  if (name === 'git for-each-ref') return /^--format=.*%/.test(word);
  return /^git (?:log|show|reflog|stash list)$/.test(name) && /^--(?:pretty|format)=(?:t?format:)?.*%/.test(word);
}

const tables = new Map<string, OptionTable>();

function tableOf(name: string): OptionTable | undefined {
  const written = Object.hasOwn(WITH_OPTIONS, name) ? WITH_OPTIONS[name] : undefined;
  if (written === undefined) return undefined;
  const table = tables.get(name) ?? readOptionTable(written);
  tables.set(name, table);
  return table;
}

function operandsFor(name: string, words: readonly string[]): string[] | undefined {
  const table = tableOf(name);
  return table === undefined ? undefined : operandsOf(words, table);
}
