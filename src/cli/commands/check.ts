import { type Command, Option } from 'commander';
import type { CheckOptions } from '../check-documents.js';

export function register(program: Command): void {
  program
    .command('check')
    .summary('find mistakes in rehearsals, scenarios and workflows')
    .alias('validate')
    .description('validate scenarios, rehearsals, workflows, contracts and guard files')
    .argument('<paths...>', 'files, folders to search, or the name of a built-in workflow')
    .option(
      '--fix',
      'give fields their names where these are certain: new names, slips of one letter; shows the difference',
    )
    .option('--strict', 'treat warnings as errors')
    .addOption(new Option('--diagram [form]', 'draw workflows').choices(['text', 'mermaid']).preset('text'))
    .option('--reporter <names>', 'list, json or sarif; several with commas, a file with =: list,sarif=findings.sarif')
    .option('--json', 'the same as --reporter json')
    .addHelpText('after', '\nExit codes: 0 all valid, 1 a file has problems, 2 a file is missing or none was found.')
    .action(async (paths: string[], options: CheckOptions) => {
      const { checkDocuments } = await import('../check-documents.js');
      process.exitCode = await checkDocuments(paths, options);
    });
}
