import { defined } from '@understudy/kit';
import { reporterNames } from '@understudy/verdict';
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const FINDINGS = ['list', 'json', 'sarif'];

/** Values that flags know, and that are not the only ones that they take. */
function knownValues(flag: string, path: readonly string[]): readonly string[] {
  if (flag === '--isolation') return ['auto', 'required', 'sandbox', 'docker', 'none'];
  if (flag === '--reporter') return ['check', 'validate', 'plugin'].includes(path[0] ?? '') ? FINDINGS : reporterNames;
  return [];
}

/** What can follow a command: its path is `/agents/add`, that of the program is empty. */
interface Completed {
  path: string[];
  description: string;
  subcommands: string[];
  flags: { names: string[]; description: string; takesValue: boolean; choices: string[]; values?: string }[];
  /** Values of its arguments. */
  choices: string[];
  /** What else its arguments may be: rehearsals, or what `completion-values` knows. */
  values?: string;
}

/** Flags whose values are not in the command line itself: `completion-values` knows them. */
const VALUES: Readonly<Record<string, string>> = { '--agent': 'agents', '--target': 'targets', '--grep': 'tags' };
/** The same of arguments, by their names. */
const ARGUMENTS: Readonly<Record<string, string>> = { agents: 'agents', paths: 'rehearsals', file: 'rehearsals' };
/** A script that completes commands, flags and their values; everything else is completed as a file. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = describeCommands(program, []);
  if (shell === 'fish') return fishScript(program.name(), commands);
  const script = bashScript(program.name(), commands);
  if (shell === 'bash') return script;
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

function describeCommands(command: Command, path: string[]): Completed[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  return [
    {
      path,
      description: command.description(),
      subcommands: children.flatMap((child) => [child.name(), ...child.aliases()]),
      flags: help.visibleOptions(command).map((option) => ({
        names: [option.short, option.long].filter((name) => name !== undefined),
        description: option.description,
        takesValue: option.required || option.optional,
        choices: [...(option.argChoices ?? knownValues(option.long ?? '', path))],
        ...defined({ values: VALUES[option.long ?? ''] }),
      })),
      choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
      ...defined({ values: command.registeredArguments.map((argument) => ARGUMENTS[argument.name()]).find(Boolean) }),
    },
    ...children
      .filter((child) => child.name() !== 'help')
      .flatMap((child) =>
        [child.name(), ...child.aliases()].flatMap((name) => describeCommands(child, [...path, name])),
      ),
  ];
}

function bashScript(name: string, commands: readonly Completed[]): string {
  const key = ({ path }: Completed) => path.map((word) => `/${word}`).join('');
  const known = commands.filter(({ path }) => path.length > 0).map((command) => `"${key(command)}"`);
  const settings = (words: readonly string[], values?: string) =>
    [
      ...(words.length === 0 ? [] : [`words="${words.join(' ')}"`]),
      ...(values === undefined ? [] : [`values=${values}`]),
    ].join(' ') || ':';
  const ofFlags = commands.flatMap((command) =>
    command.flags.flatMap(({ names, takesValue, choices, values }) =>
      takesValue
        ? [`    ${names.map((flag) => `"${key(command)} ${flag}"`).join('|')}) ${settings(choices, values)} ;;`]
        : [],
    ),
  );
  const next = commands.map((command) => {
    const words = [...command.subcommands, ...command.choices, ...command.flags.flatMap(({ names }) => names)];
    return `      "${key(command)}") ${settings(words, command.values)} ;;`;
  });
  // Values are never expanded: one could hold a command.
  return `_${name}_complete() {
  # The shell itself knows best what is quoted: it completes files.
  case "\${COMP_WORDS[COMP_CWORD]}" in *\\\\* | *"'"* | *'"'*) COMPREPLY=(); return ;; esac
  local line="\${COMP_LINE:0:$COMP_POINT}" path="" words="" values="" word="" index=0
  local current="\${line##* }"
  local before="\${line%"$current"}"
  before="\${before%"\${before##*[! ]}"}"
  local previous="\${before##* }" typed="$current"
  case "$current" in --*=*) previous="\${current%%=*}" typed="\${current#*=}" ;; esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path/\${COMP_WORDS[index]}" in
      ${known.join('|')}) path="$path/\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$path $previous" in
${ofFlags.join('\n')}
    *) case "$path" in
${next.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
  while IFS= read -r word; do
    case "$word" in
      "") ;;
      "$typed"*) if [ "$values" = rehearsals ]; then COMPREPLY+=("$word"); else COMPREPLY+=("$(printf '%q' "$word")"); fi ;;
    esac
  done <<VALUES
$(_${name}_values "$values" "$typed")
VALUES
  if [ "$values" = rehearsals ]; then compopt -o filenames 2>/dev/null; fi
  # Of --flag=value and name@version, a shell may replace the end alone: that is its second argument.
  local flag="\${current%"$typed"}" kept="\${current%"$2"}"
  for ((index = 0; index < \${#COMPREPLY[@]}; index++)); do
    word="$flag\${COMPREPLY[index]}"
    COMPREPLY[index]="\${word#"$kept"}"
  done
}
_${name}_values() {
  case "$1" in
    agents|targets|tags) ${name} completion-values "$1" 2>/dev/null ;;
    rehearsals) compgen -f -X '!*.rehearsal.*' -- "$2"; compgen -d -- "$2" ;;
  esac
}
complete -o bashdefault -o default -F _${name}_complete ${name}
`;
}

function fishScript(name: string, commands: readonly Completed[]): string {
  const dynamic = (values: string) => fishQuote(`(${name} completion-values ${values} 2>/dev/null)`);
  const lines = commands.flatMap(({ path, subcommands, flags, choices, values: ofArguments }) => {
    const condition =
      path.length === 0
        ? '__fish_use_subcommand'
        : path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const start = `complete -c ${name} -n ${fishQuote(condition)}`;
    return [
      ...subcommands.map((word) => {
        const child = commands.find((one) => one.path.join(' ') === [...path, word].join(' '));
        return `${start} -f -a ${word} -d ${fishQuote(child?.description ?? '')}`;
      }),
      ...(choices.length === 0 ? [] : [`${start} -f -a ${fishQuote(choices.join(' '))}`]),
      ...(ofArguments === 'agents' ? [`${start} -f -a ${dynamic('agents')}`] : []),
      ...(ofArguments === 'rehearsals' ? [`${start} -k -a '(__fish_complete_suffix .rehearsal.toml)'`] : []),
      ...flags.map(({ names, description, takesValue, choices: words, values }) => {
        const flag = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`)).join(' ');
        const value =
          values !== undefined
            ? ` -x -a ${dynamic(values)}`
            : words.length === 0
              ? ' -r'
              : ` -x -a ${fishQuote(words.join(' '))}`;
        return `${start} ${flag}${takesValue ? value : ''} -d ${fishQuote(description)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
