import { UnderstudyError } from '@understudy/kit';
import type { Command } from 'commander';

interface Options {
  stage: string;
  scenario?: string;
  journal?: string;
  json?: true;
}

/** `understudy shim DIR`: stand-ins, or the real CLIs on a scripted model, under the names of the real programs. */
export function register(program: Command): void {
  program
    .command('shim')
    .description('write stand-ins with the names of the real CLIs into a folder, to put first on PATH')
    .argument('<dir>', 'the folder; it is created if it does not exist')
    .option(
      '--stage <name>',
      'sim: stand-ins; scripted: the real CLIs, on a scripted model that runs until Ctrl-C',
      'sim',
    )
    .option('--scenario <file>', 'what the model answers; the stage scripted needs it')
    .option('--journal <file>', 'on the stage scripted: write every request and answer to this file, as JSON lines')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nThen run your program with it:\n  PATH="$PWD/DIR:$PATH" UNDERSTUDY_SCENARIO=FILE your-program' +
        '\nOn the stage scripted, in another terminal:\n  PATH="$PWD/DIR:$PATH" your-program',
    )
    .action(async (dir: string, options: Options) => {
      const { stage, scenario, journal, json } = options;
      const more = json === undefined ? {} : { json };
      if (stage === 'sim') {
        if (journal !== undefined)
          throw badFlag('--journal is for the stage scripted', 'Leave it out, or set UNDERSTUDY_LOG.');
        const { writeStandInShims } = await import('../write-shims.js');
        writeStandInShims(dir, { ...(scenario === undefined ? {} : { scenario }), ...more });
        return;
      }
      if (stage !== 'scripted')
        throw badFlag(`${JSON.stringify(stage)} is not a stage of shims`, 'Use sim or scripted.');
      if (scenario === undefined) throw badFlag('the stage scripted needs a scenario', 'Give --scenario FILE.');
      const { serveShims } = await import('../serve-shims.js');
      process.exitCode = await serveShims(dir, { scenario, ...(journal === undefined ? {} : { journal }), ...more });
    });
}

function badFlag(message: string, fix: string): UnderstudyError {
  return new UnderstudyError('BAD_FLAG', message, { fix });
}
