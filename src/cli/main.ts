import { endWithParts, keepRunningFor, nearestWord, visible } from '@understudy/kit';
import { Command, CommanderError } from 'commander';
import { printError } from './output.js';
import { version } from './version.js';

/** Exit code: something failed. */
export const EXIT_FAILED = 1;
/** Exit code: the harness could not do its job. */
export const EXIT_HARNESS_ERROR = 2;
/** Exit code: interrupted by Ctrl-C. */
export const EXIT_INTERRUPTED = 130;

/** Adds a command to the program. */
export type Register = (program: Command) => void;

/** Commands by their names, in the order of the help page. */
export type Commands = Readonly<Record<string, Register>>;
/** Commands by the titles under which the help page has them. */
export type CommandGroups = Readonly<Record<string, Commands>>;

/** Runs the command line of this process. */
export function start(groups: CommandGroups, prepare?: Prepare): void {
  keepRunningFor(main(process.argv, groups, prepare)).then(
    (code) => {
      process.exitCode = code;
      endWithParts();
    },
    (error: unknown) => {
      printError(error);
      process.exitCode = EXIT_HARNESS_ERROR;
      endWithParts();
    },
  );
}

/** What is done before a command: by its name, its arguments and its `--config`. */
export type Prepare = (command: string, given: { args: readonly string[]; config: unknown }) => Promise<void>;

/** The command of the first word: an alias has its name. */
function topOf(command: Command): Command {
  return command.parent?.parent ? topOf(command.parent) : command;
}

/** Runs a command line and gives the exit code. */
export async function main(argv: readonly string[], groups: CommandGroups, prepare?: Prepare): Promise<number> {
  const program = new Command('understudy')
    .description('Rehearses coding agents: the real CLI, a scripted model, no key, no network.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show the help of a command')
    .usage('COMMAND [options]')
    .configureHelp({ subcommandTerm })
    .addHelpText(
      'after',
      '\nunderstudy COMMAND --help shows the flags of a command.' +
        '\nExit codes: 0 all passed, 1 something failed, 2 the harness could not do its job or nothing ran, 130 interrupted.',
    )
    .showHelpAfterError('(see understudy --help)')
    .configureOutput({
      writeOut: (text) => process.stdout.write(visible(text)),
      writeErr: (text) => process.stderr.write(visible(text)),
    })
    .enablePositionalOptions()
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .helpOption(false)
        .summary('show the help of a command')
        .helpGroup('Plumbing:'),
    );
  registerNeeded(program, argv[2], groups);
  if (prepare !== undefined)
    program.hook('preAction', (_, action) =>
      prepare(topOf(action).name(), { args: action.args, config: action.opts()['config'] }),
    );
  returnExitCodes(program);
  if (argv.length <= 2) {
    program.outputHelp();
    return 0;
  }
  try {
    refuseUnknownSubcommand(program, argv);
    await program.parseAsync([...argv]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_HARNESS_ERROR;
    printError(error, { json: argv.includes('--json') });
    return EXIT_HARNESS_ERROR;
  }
}

/** The command itself where it is named: to describe the others takes longer than many a command runs. */
function registerNeeded(program: Command, name: string | undefined, groups: CommandGroups): void {
  const all = new Map(Object.values(groups).flatMap((commands) => Object.entries(commands)));
  const named = name === undefined || name === 'completion' ? undefined : all.get(name);
  if (named !== undefined) {
    named(program);
    return;
  }
  for (const [title, commands] of Object.entries(groups)) {
    program.commandsGroup(`${title}:`);
    for (const register of Object.values(commands)) register(program);
  }
}

/** A default subcommand would take a wrong one for an argument of its own. */
function refuseUnknownSubcommand(program: Command, [, , name, word = '-']: readonly string[]): void {
  const command = program.commands.find((one) => one.name() === name);
  const names = command?.commands.map((one) => one.name()) ?? [];
  if (command === undefined || names.length === 0 || [...names, 'help'].includes(word) || word.startsWith('-')) return;
  // The default one may have arguments: then the word may be one of them.
  const own = command.commands.find((one) => one.name() === defaultOf(command));
  if (own === undefined || own.registeredArguments.length > 0) return;
  const near = nearestWord(word, names);
  const hint = near === undefined ? `(one of ${names.join(', ')})` : `(Did you mean ${near}?)`;
  command.error(`error: unknown command '${word}'\n${hint}`, { code: 'commander.unknownCommand' });
}

/** Commander does not expose which of the subcommands is the default. */
function defaultOf(command: Command): string | undefined {
  return (command as { _defaultCommandName?: string | null })._defaultCommandName ?? undefined;
}

/** Commander would end the process with 1 on a wrong flag. Our exit code for that is 2. */
function returnExitCodes(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) returnExitCodes(child);
}

/** Its arguments stand on its own page. */
function subcommandTerm(command: Command): string {
  return [command.name(), ...command.aliases()].join(', ');
}
