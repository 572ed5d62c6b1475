import { type Command, Option } from 'commander';
import type { CheckOptions } from '../check-documents.js';

export function register(program: Command): void {
  program
    .command('check')
    .description('validate scenarios, rehearsals and workflows; a folder is searched for them')
    .argument('<paths...>', 'files, folders, or the name of a workflow that comes with us')
    .option('--strict', 'warnings fail too')
    .addOption(new Option('--diagram [form]', 'draw workflows').choices(['text', 'mermaid']).preset('text'))
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 all valid, 1 something is wrong in a file, 2 a file is missing or none was found.',
    )
    .action(async (paths: string[], options: CheckOptions) => {
      const { checkDocuments } = await import('../check-documents.js');
      process.exitCode = checkDocuments(paths, options);
    });
}
