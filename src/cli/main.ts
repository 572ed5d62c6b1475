import { Command, CommanderError } from 'commander';
import { visible } from '../terminal/visible.js';
import { tolerateClosedOutput } from './closed-output.js';
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

/** Runs the command line and gives the exit code. */
export async function main(argv: readonly string[], commands: readonly Register[]): Promise<number> {
  tolerateClosedOutput();
  const program = new Command('understudy')
    .description('Rehearses coding agents: the real CLI, a scripted model, no key, no network.')
    .version(version, '-V, --version', 'output the version number; -v is the same where it comes first')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see understudy --help)')
    .configureOutput({
      writeOut: (text) => process.stdout.write(visible(text)),
      writeErr: (text) => process.stderr.write(visible(text)),
    })
    .enablePositionalOptions();
  for (const register of commands) register(program);
  returnExitCodes(program);
  if (argv.length <= 2) {
    program.outputHelp();
    return 0;
  }
  try {
    // Commands have a -v of their own, so it cannot be a flag of all.
    const isVersion = argv.length === 3 && argv[2] === '-v';
    await program.parseAsync(isVersion ? [...argv.slice(0, 2), '--version'] : [...argv]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_HARNESS_ERROR;
    printError(error, { json: argv.includes('--json') });
    return EXIT_HARNESS_ERROR;
  }
}

/** Commander would end the process with 1 on a wrong flag. Our exit code for that is 2. */
function returnExitCodes(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) returnExitCodes(child);
}
