/** Programs that start another one in a way that can be read: how many words stand before it. */
const WRAPPERS = new Map<string, (rest: readonly string[]) => number | undefined>(
  Object.entries({
    builtin: () => 0,
    command: (rest) => leading(rest, (word) => word === '-p' || word === '--'),
    nice: ([first = '']) => (first === '-n' ? 2 : /^-\d+$/.test(first) ? 1 : 0),
    nohup: () => 0,
    stdbuf: (rest) => leading(rest, (word) => /^-[eio](?:L|\d+)$/.test(word)) || undefined,
    time: () => 0,
    timeout: durationEnd,
  } satisfies Record<string, (rest: readonly string[]) => number | undefined>),
);

/** Programs that start another one behind options of their own. */
const STARTERS: ReadonlySet<string> = new Set(
  'chrt flock ionice ltrace nsenter script setsid strace taskset unshare watch'.split(' '),
);

/** Nobody starts a program behind more others than this. */
const MOST_LAYERS = 20;

const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

function leading(words: readonly string[], isOption: (word: string) => boolean): number {
  const end = words.findIndex((word) => !isOption(word));
  return end === -1 ? words.length : end;
}

function durationEnd(rest: readonly string[]): number | undefined {
  const at = durationOf(rest);
  return DURATION.test(rest[at] ?? '') ? at + 1 : undefined;
}

/** Where the duration of a `timeout` stands. */
function durationOf(rest: readonly string[]): number {
  let at = 0;
  while (rest[at]?.startsWith('-')) at += /^-[ks]$/.test(rest[at] ?? '') ? 2 : 1;
  return at;
}

/** How many words stand before the program that this one starts; nothing when it starts none that can be read. */
function wrappedAt([name = '', ...rest]: readonly string[]): number | undefined {
  const skipped = WRAPPERS.get(name)?.(rest);
  const first = skipped === undefined ? undefined : rest[skipped];
  if (skipped === undefined || first === undefined || /^-|^\w+=|^!$/.test(first)) return undefined;
  return skipped + 1;
}

/** A command, and what it starts, from the outside to the inside. What `skip` drops in front is gone. */
export function layersOf(
  words: readonly string[],
  skip: (words: readonly string[]) => number,
): readonly (readonly string[])[] {
  const layers = [words];
  for (let layer = words; layers.length < MOST_LAYERS; ) {
    const at = skip(layer) || (wrappedAt(layer) ?? 0);
    if (at === 0 || at >= layer.length) break;
    layer = layer.slice(at);
    layers.push(layer);
  }
  return layers;
}

/** The words of the program that does the work, without variables, `env` and what only starts it. */
export function programOf(words: readonly string[]): readonly string[] {
  return layersOf(words, settingsBefore).at(-1) ?? words;
}

/** The same, as long as nothing is set that could change what the program does. */
export function plainProgramOf(words: readonly string[]): readonly string[] {
  return layersOf(words, (rest) => leading(rest, isHarmlessVariable)).at(-1) ?? words;
}

/** How many words in front only set variables. */
export function settingsBefore(words: readonly string[]): number {
  const isSetting = (word: string): boolean => ASSIGNMENT.test(word);
  if (words[0] !== 'env') return leading(words, isSetting);
  return 1 + leading(words.slice(1), (word) => isSetting(word) || word === '-i' || word === '--');
}

/** A command, and whatever it may start: every way to read it for a rule that denies or asks. */
export function startsOf(words: readonly string[]): readonly (readonly string[])[] {
  // `time` is a word of the shell where it comes first; elsewhere the real CLI does not find it.
  let isFirst = true;
  const layers = layersOf(words, (layer) => {
    const at = startedAt(layer) || (isFirst ? asOtherUser(layer) : 0);
    isFirst &&= at > 0;
    return at;
  }).filter(([name], at) => at === 0 || name !== 'time');
  return layers.flatMap((layer) =>
    STARTERS.has(layer[0] ?? '') ? layer.slice(0, MOST_LAYERS).map((_, at) => layer.slice(at)) : [layer],
  );
}

function startedAt(words: readonly string[]): number {
  const settings = settingsBefore(words);
  if (settings > 0 || !STARTED_BEHIND_OPTIONS.has(words[0] ?? '')) return settings;
  return 1 + leading(words.slice(1), (word) => word.startsWith('-') || ASSIGNMENT.test(word));
}

/** How many words stand before what `sudo` and its like start. The real CLI does not look for them behind `nice`. */
function asOtherUser([name = '', ...rest]: readonly string[]): number {
  const withValue = AS_OTHER_USER.get(name.replace(/^.*\//, ''));
  if (withValue === undefined) return 0;
  let at = 0;
  for (let word = rest[at]; word !== undefined && (word.startsWith('-') || ASSIGNMENT.test(word)); word = rest[at]) {
    at += withValue.has(word) ? 2 : 1;
    if (word === '--') break;
  }
  return at + 1;
}

/** Their options that take the next word. */
const AS_OTHER_USER = new Map(
  Object.entries({
    sudo: '-C -D -g -h -p -R -r -T -t -U -u --chdir --chroot --close-from --group --host --other-user --prompt --role --type --user',
    doas: '-C -u',
    pkexec: '--user',
  }).map(([name, options]) => [name, new Set(options.split(' '))]),
);

const STARTED_BEHIND_OPTIONS = new Set(['exec', 'nohup', 'time']);

const ASSIGNMENT = /^\w+\+?=/;

const HARMLESS = new Set(
  (
    'ANTHROPIC_API_KEY BLOCKSIZE BLOCK_SIZE CGO_ENABLED CHARSET CI CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS ' +
    'FORCE_COLOR GCC_COLORS GO111MODULE GOARCH GOEXPERIMENT GOOS GREP_COLOR GREP_COLORS LANGUAGE LC_TIME LINES ' +
    'LSCOLORS LS_COLORS NODE_ENV NO_COLOR PYTEST_DEBUG PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTHONDONTWRITEBYTECODE ' +
    'PYTHONUNBUFFERED RUST_BACKTRACE RUST_LOG TERM TIME_STYLE TZ'
  ).split(' '),
);

/** A variable that no rule and no looking command minds. */
export function isHarmlessVariable(word: string): boolean {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
  if (name === 'LANG' || name === 'LC_ALL') return /^(?:C|POSIX|.*utf-?8)$/i.test(value);
  return HARMLESS.has(name);
}

/** Whether it cannot be known what a wrapper starts. */
export function startsUnread(words: readonly string[]): boolean {
  const [name = '', ...rest] = programOf(words);
  if (STARTERS.has(name)) return true;
  if (name === 'timeout') return rest.length > 0 && durationEnd(rest) === undefined;
  return ['nice', 'nohup', 'time'].includes(name) && /^-|^\w+=|^!$/.test(rest[0] ?? '');
}
