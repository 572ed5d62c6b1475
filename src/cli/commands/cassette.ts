import { importFormats } from '@understudy/model';
import type { Command } from 'commander';
import { collect, wholeNumber } from './run-options.js';

export function register(program: Command): void {
  const cassette = program
    .command('cassette')
    .summary('look at recordings, change them, make rehearsals of them')
    .description('look at recordings, change them, make rehearsals of them');
  cassette
    .command('show')
    .description('show what was asked and answered')
    .argument('<file>', 'a cassette')
    .option('--json', 'print one JSON document')
    .action(async (file: string, options: { json?: true }) => {
      const { showCassette } = await import('../cassettes.js');
      process.exitCode = showCassette(file, options);
    });
  cassette
    .command('verify')
    .description('check that cassettes are complete, readable and without secrets')
    .argument('<files...>', 'cassettes')
    .option('--json', 'print one JSON document')
    .action(async (files: string[], options: { json?: true }) => {
      const { verifyCassettes } = await import('../cassettes.js');
      process.exitCode = verifyCassettes(files, options);
    });
  cassette
    .command('edit')
    .description('write a changed cassette')
    .argument('<file>', 'a cassette')
    .option('-o, --output <file>', 'where to (default: the same file)')
    .option('--drop <number>', 'leave an interaction out; may be given several times', numbers)
    .option('--drop-conversation <name>', 'leave a conversation out; may be given several times', collect)
    .option('--replace <old=new>', 'replace a text everywhere; may be given several times', collect)
    .option('--redact <text>', 'put [secret] in its place everywhere; may be given several times', collect)
    .action(async (file: string, options: Record<string, unknown>) => {
      const { editCassette } = await import('../cassettes.js');
      process.exitCode = editCassette(file, options);
    });
  cassette
    .command('merge')
    .description('put the conversations of several cassettes into one')
    .argument('<files...>', 'cassettes')
    .requiredOption('-o, --output <file>', 'the new cassette')
    .action(async (files: string[], { output }: { output: string }) => {
      const { mergeCassettes } = await import('../cassettes.js');
      process.exitCode = mergeCassettes(files, output);
    });
  cassette
    .command('import')
    .description(`make a cassette of a file of another tool: ${importFormats.join(', ')}`)
    .argument('<file>', 'the file')
    .option('-o, --output <file>', 'the new cassette (default: beside the file)')
    .action(async (file: string, options: { output?: string }) => {
      const { importCassette } = await import('../cassettes.js');
      process.exitCode = importCassette(file, options);
    });
  cassette
    .command('to-rehearsal')
    .description('write a rehearsal that says and expects what was recorded')
    .argument('<file>', 'a cassette, or a file that `cassette import` reads')
    .option('-o, --output <file>', 'the rehearsal (default: NAME.rehearsal.toml beside the cassettes); - prints it')
    .option('--name <text>', 'the name of the rehearsal')
    .action(async (file: string, options: { output?: string; name?: string }) => {
      const { cassetteToRehearsal } = await import('../cassettes.js');
      process.exitCode = cassetteToRehearsal(file, options);
    });
}

function numbers(value: string, previous: number[] = []): number[] {
  return [...previous, wholeNumber(value)];
}
