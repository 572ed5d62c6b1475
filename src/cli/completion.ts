import { agentNames } from '@understudy/agents';
import { reporterNames } from '@understudy/verdict';
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const FINDINGS = ['list', 'json', 'sarif'];

/** Values that flags know, and that are not the only ones that they take. */
function knownValues(flag: string, path: readonly string[]): readonly string[] {
  if (flag === '--agent') return agentNames;
  if (flag === '--isolation') return ['auto', 'required', 'sandbox', 'docker', 'none'];
  if (flag === '--reporter') return ['check', 'validate', 'plugin'].includes(path[0] ?? '') ? FINDINGS : reporterNames;
  return [];
}

/** What can follow a command: its path is `/agents/add`, that of the program is empty. */
interface Completed {
  path: string[];
  description: string;
  subcommands: string[];
  flags: { names: string[]; description: string; takesValue: boolean; choices: string[] }[];
  /** Values of its arguments. */
  choices: string[];
}

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
      })),
      choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
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
  const values = commands.flatMap((command) =>
    command.flags.flatMap(({ names, takesValue, choices }) =>
      takesValue
        ? [`    ${names.map((flag) => `"${key(command)} ${flag}"`).join('|')}) words="${choices.join(' ')}" ;;`]
        : [],
    ),
  );
  const next = commands.map((command) => {
    const words = [...command.subcommands, ...command.choices, ...command.flags.flatMap(({ names }) => names)];
    return `      "${key(command)}") words="${words.join(' ')}" ;;`;
  });
  return `_${name}_complete() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path/\${COMP_WORDS[index]}" in
      ${known.join('|')}) path="$path/\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$path $previous" in
${values.join('\n')}
    *) case "$path" in
${next.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _${name}_complete ${name}
`;
}

function fishScript(name: string, commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ path, subcommands, flags, choices }) => {
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
      ...flags.map(({ names, description, takesValue, choices: values }) => {
        const flag = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`)).join(' ');
        const value = takesValue ? (values.length === 0 ? ' -r' : ` -x -a ${fishQuote(values.join(' '))}`) : '';
        return `${start} ${flag}${value} -d ${fishQuote(description)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
