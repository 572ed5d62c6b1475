import { stages } from '@understudy/agents';
import { type Command, Option } from 'commander';
import type { ExecOptions } from '../exec-program.js';
import { collect, isolationOption, positive } from './run-options.js';

export function register(program: Command): void {
  program
    .command('exec')
    .summary('run any command with the agents in place; see what it called')
    .description('run any command with the agents in place, and report what it called')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--scenario <file>', 'what the model answers, a .toml or .json file')
    .addOption(
      new Option('--stage <stage>', 'stand-ins, or the real CLIs on the scripted model or on a recording')
        .choices(stages.filter((stage) => stage !== 'live'))
        .default('scripted'),
    )
    .option('--cassette <file>', 'on replay: the recording that answers')
    .option('--speed <n>', 'on replay: 1 keeps the timing of the recording (default: as fast as possible)', positive)
    .option('--agent <agent>', 'an agent to put on PATH; may be given several times (default: all there are)', collect)
    .addOption(
      new Option('--state <whose>', 'turn state for all calls, or for each session')
        .choices(['run', 'session'])
        .default('run'),
    )
    .addOption(isolationOption())
    .option('--allow-unused', 'rules that nothing used are not reported')
    .option('--log <file>', 'write the events of all calls to this file, as JSON lines')
    .option('--json', 'print one JSON document when the command has ended; its own output goes to stderr')
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nThe command has the terminal, the input and the output of this one. What it called is reported on stderr.' +
        '\nIt has your own environment, so --isolation auto is none here. With sandbox, it can change this folder only.' +
        '\nExit codes: that of the command; 1 if it ended with 0 and a call had no answer;' +
        '\n            125 if the harness could not do its job; 126 or 127 if the command cannot be started or is missing.',
    )
    .action(async (command: string[], options: ExecOptions) => {
      const { execProgram } = await import('../exec-program.js');
      process.exitCode = await execProgram(command, options);
    });
}
