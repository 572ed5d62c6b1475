import type { Command } from 'commander';
import type { RecordOptions } from '../record-program.js';
import { collect } from './run-options.js';

export function register(program: Command): void {
  program
    .command('record')
    .summary('run a command on the real model, and record it')
    .description('run a command against the real API, and record what is asked and answered')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('-o, --output <file>', 'the cassette (default: NAME.cassette.jsonl, after the command)')
    .option(
      '--rehearsal <name>',
      'also write NAME.rehearsal.toml, with its cassette beside it; in a terminal, press Ctrl+\\ to keep',
    )
    .option('--agent <agent>', 'an agent to put on PATH; may be given several times (default: all there are)', collect)
    .option('--json', 'print one JSON document when the command has ended; its own output goes to stderr')
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nKeys and addresses of the APIs come from the environment (ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OPENAI_API_KEY …).' +
        '\nThe command itself does not get them: its requests go through a proxy on this machine, which adds the key.' +
        '\nThe model is real, so this costs money. Secrets are taken out before anything is written.' +
        '\nExit codes: that of the command; 1 if it ended with 0 and asked nothing; 125 if the harness could not do its job.',
    )
    .action(async (command: string[], options: RecordOptions) => {
      const { recordProgram } = await import('../record-program.js');
      process.exitCode = await recordProgram(command, options);
    });
}
