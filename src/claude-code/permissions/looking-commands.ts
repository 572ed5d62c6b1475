import { isHarmlessVariable } from './wrappers.js';

/**
 * Commands that only look, which Claude Code 2.1.325 runs without asking (test/conformance/recorded/claude-2.1.325-bash.json).
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
const EXACT: Readonly<Record<string, RegExp>> = {
  arch: /^$/,
  history: /^ ?\d*$/,
  node: /^ (?:--version|-v)$/,
  pwd: /^$/,
  python: /^ --version$/,
  python3: /^ --version$/,
  whoami: /^$/,
};

/** Options with which a program writes. */
const WRITING_SORT = /^(?:-[a-zA-Z]*o|--output)/;

/** Programs of which the CLI knows the options, and the stand-in does not. */
const WITH_OPTIONS: ReadonlySet<string> = new Set(
  (
    'base64 date docker egrep fd fdfind fgrep file grep help hostname ifconfig ip jq lsof man netstat pgrep ps rg sort ss ' +
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

/** What is known all the same: their usual forms, word by word behind the name. */
const USUAL: Readonly<Record<string, RegExp>> = {
  date: /^(?: -[uIR])?(?: \+\S.*)?$/,
  file: /^(?: -[bi])?(?: [^-].*)?$/,
  grep: /^(?: (?:-[bcEFGHhiLlnoPqRrsvwxZ]+|--(?:include|exclude|exclude-dir|color)=\S+|-[ABCm]_?\d+|-e(?= [^-])))*(?: [^-].*)?$/,
  jq: /^(?: -[ceMrs]+)* \.[\w.[\]]*(?: [^-].*)?$/,
  ps: /^(?: [a-df-zA-Z]+| -(?:ef|[AVacdefjlmw]))?$/,
  rg: /^(?: -[cFHhiLlnoqSuvw]+)*(?: [^-].*)?$/,
  sort: /^(?: -[bcdfghiMmnRrsuVz]+)*(?: [^-].*)?$/,
  tree: /^(?: -[adfFhis]+)*(?: [^-].*)?$/,
  uniq: /^(?: -[cdDiuz]+)*$/,
  which: /^(?: -a)?(?: [^-].*)?$/,
  'git blame': /^(?: -[elnpstw]+)*(?: [^-].*)?$/,
  'git branch': /^(?: (?:-[alrv]+|--(?:all|list|remotes|show-current|verbose)))*$/,
  'git diff':
    /^(?: (?:-[psDRu]|--(?:cached|check|color|exit-code|name-only|name-status|no-color|numstat|quiet|shortstat|staged|stat|summary|word-diff)))*(?: [^-].*)?$/,
  'git log':
    /^(?: (?:-\d+|-n_\d+|-[ps]|--(?:abbrev-commit|all|decorate|follow|graph|merges|name-only|name-status|no-color|no-merges|no-patch|numstat|oneline|patch|reverse|shortstat|stat)|--(?:after|author|before|grep|max-count|since|until)=\S+|--(?:format|pretty)=\S*%.*))*(?: [^-].*)?$/,
  'git ls-files': /^(?: (?:-[cdmostz]+|--(?:cached|deleted|exclude-standard|modified|others|stage)))*(?: [^-].*)?$/,
  'git remote': /^(?: (?:-v|--verbose|show -n \S+))?$/,
  'git rev-parse':
    /^(?: --(?:abbrev-ref|git-dir|is-inside-work-tree|show-prefix|show-toplevel|verify|short(?= [^-])))*(?: [^-].*)?$/,
  'git show':
    /^(?: (?:-\d+|-[mps]|--(?:name-only|name-status|no-color|no-patch|numstat|oneline|patch|quiet|raw|shortstat|stat)|--(?:format|pretty)=\S*%.*))*(?: [^-].*)?$/,
  'git stash': /^ list$/,
  'git status': /^(?: (?:-[bsv]+|--(?:branch|ignored|long|porcelain|short|verbose)))*(?: [^-].*)?$/,
  'git tag': /^(?: (?:-l|--list)(?: [^-].*)?)?$/,
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
  if (FREE.has(name)) return true;
  const exact = Object.hasOwn(EXACT, name) ? EXACT[name] : undefined;
  if (exact !== undefined) return exact.test(rest.map((word) => ` ${word}`).join(''));
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
      return rest.some((word) => WRITING_SORT.test(word)) ? false : isUsual(name, rest);
    case 'timeout':
      return /^\d+(?:\.\d+)?[smhd]?$/.test(rest[0] ?? '') && looks(rest.slice(1));
    case 'xargs':
      return (ADDED_TO.has(rest[0] ?? '') && looks(rest)) || undefined;
    case 'git':
      return OF_GIT.has(rest[0] ?? '') ? isUsual(`git ${rest[0]}`, rest.slice(1)) : false;
    default:
      return WITH_OPTIONS.has(name) ? isUsual(name.replace(/^[ef]grep$/, 'grep'), rest) : false;
  }
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
