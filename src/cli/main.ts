import { Command, CommanderError } from 'commander';
import { printError } from './output.js';
import { version } from './version.js';

/** Something failed. */
export const FAILED = 1;
/** The harness could not do its job. */
export const COULD_NOT = 2;

/** Adds a command to the program. */
export type Register = (program: Command) => void;

/** Runs the command line and gives the exit code. */
export async function main(argv: readonly string[], commands: readonly Register[]): Promise<number> {
  endQuietlyWhenNobodyReads();
  const program = new Command('understudy')
    .description('Rehearses coding agents: the real CLI, a scripted model, no key, no network.')
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see understudy --help)')
    .enablePositionalOptions();
  for (const register of commands) register(program);
  settleExits(program);
  if (argv.length <= 2) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(argv as string[]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : COULD_NOT;
    printError(error, { json: argv.includes('--json') });
    return COULD_NOT;
  }
}

/** Commander ends the process by itself, and with 1: ours come back here, a wrong flag with 2. */
function settleExits(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) settleExits(child);
}

/** `understudy … | head` closes our output: that is the reader's right, not an error. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
