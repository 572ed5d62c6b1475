import type { SimpleCommand } from './bash-command.js';
import { isHarmlessVariable } from './wrappers.js';

/**
 * Commands that only look, which the pinned Claude Code runs without asking (test/conformance/recorded/claude-bash.json).
 * Whatever their arguments.
 */
const FREE: ReadonlySet<string> = new Set(
  (
    'basename cal cat cd cmp column comm cut df diff dirname du echo expand expr false fmt fold free ' +
    'groups head hexdump id locale ls md5sum nl nproc numfmt od paste pr readlink realpath rev seq sha1sum ' +
    'sha256sum sleep stat strings tac tail test tr true tsort type uname unexpand uptime wc'
  ).split(' '),
);

/** Only as they stand here. */
const EXACT: ReadonlySet<string> = new Set(
  'arch,node --version,node -v,pwd,python --version,python3 --version,whoami'.split(','),
);

/** Programs of which the CLI lets some forms run without asking. */
const IN_SOME_FORMS: ReadonlySet<string> = new Set(
  (
    'base64 date docker egrep fd fdfind fgrep file grep help history hostname ifconfig ip jq lsof man netstat pgrep ps rg sort ss ' +
    'tput tree uniq which xargs'
  ).split(' '),
);

/** The same for what git does. */
const OF_GIT: ReadonlySet<string> = new Set(
  (
    'blame branch cat-file config describe diff for-each-ref grep log ls-files ls-remote merge-base reflog remote ' +
    'rev-list rev-parse shortlog show stash status tag worktree'
  ).split(' '),
);

const SHOWN =
  '--(?:abbrev-commit|all|decorate|follow|graph|merges|name-only|name-status|no-color|no-merges|no-patch|numstat|oneline|patch|reverse|shortstat|stat)|--(?:format|pretty)=\\S*%.*';
const FILES = '(?: [^-].*)?$';

/** Their usual forms, word by word behind the name: all that the stand-in knows. */
const USUAL: Readonly<Record<string, RegExp>> = {
  grep: new RegExp(`^(?: (?:-[cEFHhiLlnoPqRrsvwx]+|--(?:include|exclude|exclude-dir)=\\S+|-[ABCm]_?\\d+))*${FILES}`),
  date: /^$/,
  jq: new RegExp(`^(?: -[cr]+)* \\.[\\w.[\\]]*${FILES}`),
  rg: new RegExp(`^(?: -[cFilnqvw]+)*${FILES}`),
  sort: new RegExp(`^(?: -[bfgnrsuV]+)*${FILES}`),
  uniq: /^(?: -[cdiu]+)*$/,
  which: /^(?: [^-].*)?$/,
  'git branch': /^(?: (?:-[arv]+|--(?:all|list|show-current)))*$/,
  'git diff': new RegExp(`^(?: --(?:cached|check|name-only|name-status|numstat|quiet|shortstat|staged|stat))*${FILES}`),
  'git log': new RegExp(
    `^(?: (?:-\\d+|-n_\\d+|-p|--(?:after|author|before|grep|max-count|since|until)=\\S+|${SHOWN}))*${FILES}`,
  ),
  'git ls-files': new RegExp(`^(?: --(?:cached|deleted|exclude-standard|modified|others))*${FILES}`),
  'git remote': /^(?: -v)?$/,
  'git rev-list': new RegExp(`^ --count${FILES}`),
  'git rev-parse': new RegExp(`^(?: --(?:abbrev-ref|show-toplevel|verify|short(?= [^-])))*${FILES}`),
  'git show': new RegExp(
    `^(?: (?:-\\d+|-[ps]|--(?:name-only|name-status|no-patch|numstat|oneline|quiet|stat)))*${FILES}`,
  ),
  'git status': /^(?: (?:-[bs]+|--(?:branch|porcelain|short)))*$/,
  'git worktree': /^ list$/,
};

export const FIND_ACTIONS: ReadonlySet<string> = new Set(
  '-delete -exec -execdir -files0-from -fls -fprint -fprint0 -fprintf -ok -okdir'.split(' '),
);

/** What `xargs` may start. */
const ADDED_TO: ReadonlySet<string> = new Set(['echo', 'grep', 'head', 'printf', 'tail', 'wc']);

/** Commands that must not have a pattern of names: what the shell fills in could be an option. */
const PATTERNLESS: ReadonlySet<string> = new Set(['file', 'git']);

/** Whether words of a shell run a program that only looks; nothing where its options decide that, and are not known here. */
export function wordsLook(words: readonly string[], hasPattern: boolean): boolean | undefined {
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  // A variable is set, and nothing else.
  if (first === -1) return words.length === 1;
  if (!words.slice(0, first).every(isHarmlessVariable)) return false;
  if (hasPattern && PATTERNLESS.has(words[first] ?? '')) return false;
  return looks(words.slice(first));
}

function looks([name = '', ...rest]: readonly string[]): boolean | undefined {
  if (FREE.has(name) || EXACT.has([name, ...rest].join(' '))) return true;
  switch (name) {
    case '[':
    case '[[':
      return rest.at(-1) === name.replaceAll('[', ']');
    case 'builtin':
      return looks(rest);
    case 'find':
      return !rest.some((word) => FIND_ACTIONS.has(word));
    case 'printf':
      return !rest[0]?.startsWith('-');
    case 'sed':
      return looksWithSed(rest);
    case 'sort':
      return rest.some((word) => /^(?:-[a-zA-Z]*o|--output)/.test(word)) ? false : isUsual(name, rest);
    case 'timeout':
      return /^\d+(?:\.\d+)?[smhd]?$/.test(rest[0] ?? '') && looks(rest.slice(1));
    case 'xargs':
      if (rest[0]?.startsWith('-')) return undefined;
      return ADDED_TO.has(rest[0] ?? '') && (looks(rest) || undefined);
    case 'git':
      return OF_GIT.has(rest[0] ?? '') && !changesWithGit(rest) && isUsual(`git ${rest[0]}`, rest.slice(1));
    default:
      return IN_SOME_FORMS.has(name) ? isUsual(name, rest) : false;
  }
}

/** What git keeps, or the name of a branch or a tag that it makes. */
function changesWithGit([sub, ...rest]: readonly string[]): boolean {
  if (sub === 'stash') return rest[0] !== 'list' && rest[0] !== 'show';
  return (sub === 'branch' || sub === 'tag') && rest.length > 0 && rest.every((word) => !word.startsWith('-'));
}

/** Whether only its options say if a command looks, and they are not known here. */
export function lacksTable({ words, hasPattern }: SimpleCommand): boolean {
  return wordsLook(words, hasPattern) === undefined;
}

/** The program, with what git does. */
export function nameOf({ program: [name = '', sub = ''] }: SimpleCommand): string {
  return name === 'git' ? `git ${sub}` : name;
}

/** Behind `--` these have files, whatever they are called. */
const WITH_FILES: ReadonlySet<string> = new Set(['grep', 'git diff', 'git log', 'git show']);

function isUsual(name: string, rest: readonly string[]): true | undefined {
  const end = WITH_FILES.has(name) ? rest.indexOf('--') : -1;
  const words = end === -1 ? rest : rest.slice(0, end);
  // A number belongs to its option.
  const text = words
    .map((word) => ` ${word.replace(/\s/g, '_')}`)
    .join('')
    .replace(/( -[ABCmn]) (?=\d+(?: |$))/g, '$1_');
  const hasOptionBehind = / [^-]\S* -/.test(text);
  return (!hasOptionBehind && USUAL[name]?.test(text)) || undefined;
}

/** Lines by their numbers (`-n 5,10p`), or one plain replacement where no file is named. */
export function looksWithSed(rest: readonly string[]): boolean {
  const isOption = (word: string): boolean => /^-(?:[nEr]|-quiet|-silent|-regexp-extended)$/.test(word);
  const options = rest.filter(isOption);
  const [script = '', ...files] = rest.filter((word) => !isOption(word));
  const isQuiet = options.some((option) => /^-(?:n|-quiet|-silent)$/.test(option));
  if (isQuiet && /^(?:\d+(?:,\d+)?)?p(?:;(?:\d+(?:,\d+)?)?p)*$/.test(script)) return true;
  return files.length === 0 && /^s\/[^/$;]*\/[^/$;]*\/[gpimIM\d]*$/.test(script);
}
