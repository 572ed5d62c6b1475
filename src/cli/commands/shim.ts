import type { Command } from 'commander';

interface Options {
  json?: true;
}

/** `understudy shim DIR`: stand-ins under the names of the real programs. */
export function register(program: Command): void {
  program
    .command('shim')
    .description('write stand-ins with the names of the real CLIs into a folder, to put first on PATH')
    .argument('<dir>', 'the folder; it is created if it does not exist')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nThen run your program with it:\n  PATH="$PWD/DIR:$PATH" UNDERSTUDY_SCENARIO=FILE your-program',
    )
    .action(async (dir: string, options: Options) => {
      const { writeShims } = await import('../write-shims.js');
      writeShims(dir, options);
    });
}
