import { WrongCommandLine } from '@understudy/agents';
import { describeError } from '@understudy/kit';
import { isLoggedIn } from '../shared/find-scenario.js';
import { NotSupported, refuse } from '../shared/refusal.js';
import { CODEX_VERSION } from './environment.js';
import { exec } from './exec.js';
import { readArguments } from './options.js';
import { type CodexProcess, CodexRefusal } from './process.js';
import { REFUSED } from './refused.js';

const EXIT_FAILED = 1;
/** A bad command line; also: the stand-in could not do its job. */
const EXIT_USAGE = 2;

/** `codex`: plays a scenario as `codex exec` would, and gives the exit code. */
export async function codex(process: CodexProcess): Promise<number> {
  const { argv, stdin, streams } = process;
  try {
    const asked = readArguments(argv);
    switch (asked.kind) {
      case 'version':
        streams.out(`${asked.program} ${CODEX_VERSION}\n`);
        return 0;
      case 'help':
        if (asked.isError) streams.error(asked.page);
        else streams.out(asked.page);
        return asked.isError ? EXIT_USAGE : 0;
      case 'interactive':
        if (!stdin.isTerminal) throw new CodexRefusal('Error: stdin is not a terminal');
        throw new NotSupported(REFUSED.terminal);
      case 'login status': {
        const isIn = await isLoggedIn(process.env);
        streams.error(isIn ? LOGGED_IN : 'Not logged in\n');
        return isIn ? 0 : EXIT_FAILED;
      }
      case 'refused':
        throw new NotSupported(asked.what);
      case 'exec':
        return await exec(asked.options, process);
    }
  } catch (error) {
    if (error instanceof NotSupported) return refuse('codex', error, (text) => streams.error(text));
    if (error instanceof WrongCommandLine) streams.error(error.message);
    else if (error instanceof CodexRefusal) {
      streams.error(`${error.message}\n`);
      return EXIT_FAILED;
    } else streams.error(`${describeError(error)}\n`);
    return EXIT_USAGE;
  }
}

const LOGGED_IN = 'API key configured - sk-under***study\nAuthentication is checked when you send a request.\n';
