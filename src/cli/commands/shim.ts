import { UnderstudyError } from '@understudy/kit';
import { type Command, Option } from 'commander';

interface Options {
  stage: string;
  scenario?: string;
  log?: string;
  json?: true;
}

/** `understudy shim DIR`: stand-ins, or the real CLIs on a scripted model, under the names of the real programs. */
export function register(program: Command): void {
  program
    .command('shim')
    .summary('write agents into a folder, to put first on PATH')
    .description('write programs with the names of the CLIs into a folder, to put first on PATH')
    .argument('<dir>', 'the folder; it is created if it does not exist')
    .addOption(
      new Option(
        '--stage <stage>',
        'scripted: the real CLIs, on a scripted model that runs until Ctrl-C; sim: stand-ins',
      )
        .choices(['scripted', 'sim'])
        .default('scripted'),
    )
    .option('--scenario <file>', 'what the model answers; the stage scripted needs it')
    .option('--log <file>', 'on the stage scripted: write every request and answer to this file, as JSON lines')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nThen run your program with it, in another terminal:\n  PATH="$PWD/DIR:$PATH" your-program' +
        '\nWith stand-ins:\n  PATH="$PWD/DIR:$PATH" UNDERSTUDY_SCENARIO=FILE your-program',
    )
    .action(async (dir: string, options: Options) => {
      const { stage, scenario, log: journal, json } = options;
      const more = json === undefined ? {} : { json };
      if (stage === 'sim') {
        if (journal !== undefined)
          throw badFlag('--log is for the stage scripted', 'Leave it out, or set UNDERSTUDY_LOG.');
        const { writeStandInShims } = await import('../write-shims.js');
        writeStandInShims(dir, { ...(scenario === undefined ? {} : { scenario }), ...more });
        return;
      }
      if (scenario === undefined)
        throw badFlag('the stage scripted needs a scenario', 'Give --scenario FILE, or write stand-ins: --stage sim.');
      const { serveShims } = await import('../serve-shims.js');
      process.exitCode = await serveShims(dir, { scenario, ...(journal === undefined ? {} : { journal }), ...more });
    });
}

function badFlag(message: string, fix: string): UnderstudyError {
  return new UnderstudyError('BAD_FLAG', message, { fix });
}
