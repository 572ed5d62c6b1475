import type { SimpleCommand } from './bash-command.js';

/** Commands that only look: the CLI runs them without asking. */
const LOOKING = new Set(
  (
    'awk basename cal cat cd column comm cut date df diff dirname du echo egrep env expr false fgrep file fold ' +
    'free grep groups head hexdump hostname id jq less locale ls md5sum nl nproc od paste pgrep printf ps pwd readlink ' +
    'realpath rev rg sed seq sha1sum sha256sum sleep sort stat strings tac tail test tr tree true type uname uniq ' +
    'uptime wc which whoami find'
  ).split(' '),
);

const LOOKING_GIT = new Set(
  'blame branch cat-file describe diff log ls-files ls-remote ls-tree merge-base reflog remote rev-list rev-parse shortlog show show-ref stash status tag'.split(
    ' ',
  ),
);

/** Commands that change files, which a mode that accepts edits lets through. */
const CHANGING = new Set(['cp', 'ln', 'mkdir', 'mv', 'rm', 'rmdir', 'sed', 'tee', 'touch', 'truncate']);

const FIND_ACTIONS = new Set(['-delete', '-exec', '-execdir', '-ok', '-okdir', '-fprint', '-fprintf', '-fls']);

/** An argument with which a looking command does more than look. */
export function actionOfFind({ words }: SimpleCommand): string | undefined {
  return words[0] === 'find' ? words.find((word) => FIND_ACTIONS.has(word)) : undefined;
}

export function onlyLooks(command: SimpleCommand): boolean {
  const [name, ...rest] = command.words;
  if (name === undefined || command.writesTo.length > 0) return false;
  if (name === 'git') return looksAtGit(rest);
  if (name === 'sed') return !changesWithSed(rest);
  if (name === 'find') return actionOfFind(command) === undefined;
  if (/^(node|npm|python3?|ruby|go|cargo)$/.test(name))
    return rest.length === 1 && /^(--version|-v)$/.test(rest[0] ?? '');
  return LOOKING.has(name);
}

/** The files that a command changes, when it is one of the known file commands. */
export function changedFiles(command: SimpleCommand): { by: string; files: string[] } | undefined {
  const [name, ...rest] = command.words;
  if (command.writesTo.length > 0) return { by: 'Output redirection', files: command.writesTo };
  if (name === undefined || !CHANGING.has(name)) return undefined;
  if (name === 'sed' && !changesWithSed(rest)) return undefined;
  const operands = rest.filter((word) => !word.startsWith('-'));
  return { by: name, files: name === 'sed' ? operands.slice(1) : operands };
}

function looksAtGit(rest: readonly string[]): boolean {
  const [sub, ...more] = rest;
  if (sub === undefined || sub.startsWith('-') || !LOOKING_GIT.has(sub)) return false;
  if (sub === 'stash') return more[0] === 'list' || more[0] === 'show';
  if (sub === 'branch' || sub === 'tag' || sub === 'remote')
    return more.every((word) => word.startsWith('-') && !/^-[dDmM]/.test(word));
  return true;
}

function changesWithSed(rest: readonly string[]): boolean {
  return rest.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word));
}
