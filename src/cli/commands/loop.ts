import { backendNames } from '@understudy/suites';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LoopRunOptions } from '../run-loop.js';

const MEMORY_TYPES = ['pattern', 'decision', 'fix', 'context'];
const FORMATS = ['table', 'json', 'markdown', 'quiet'];

/** `understudy orchestrator loop`: a small Ralph, with its command line and exit codes. */
export function register(program: Command): void {
  const loop = program
    .command('loop')
    .summary('run the reference orchestrator')
    .description('the reference orchestrator: runs an agent in a loop with hats and events, as Ralph does');
  registerRun(loop);
  registerEmit(loop);
  registerMemory(loop);
  registerMemory(loop.command('tools').description('tools for agents, under the name that Ralph uses'));
}

function registerRun(loop: Command): void {
  loop
    .command('run')
    .description('run the loop in this folder')
    .argument('[backendArgs...]', 'arguments for the backend, after --')
    .option('-c, --config <file>', 'the configuration (default: ralph.yml, if there is one)')
    .option('-p, --prompt <text>', 'the objective')
    .option('-P, --prompt-file <file>', 'the objective, in a file')
    .option('--max-iterations <n>', 'stop after N iterations', wholeNumber)
    .option('--completion-promise <text>', 'the line with which the agent ends the loop')
    .addOption(new Option('-b, --backend <name>', 'the agent').choices(backendNames))
    .option('--continue', 'continue the work that is in the scratchpad')
    .option('--dry-run', 'show what would run, without running it')
    .option('-v, --verbose', 'show events, too')
    .option('-q, --quiet', 'show only how it ended')
    .addHelpText(
      'after',
      '\nExit codes: 0 completed or cancelled, 1 failed, 2 a limit was reached, 130 interrupted.\n' +
        'For test harnesses: .ralph/current-events and .ralph/current-iterations contain the paths of JSONL files.',
    )
    .action(async (backendArgs: string[], options: LoopRunOptions) => {
      const { runLoopCommand } = await import('../run-loop.js');
      process.exitCode = await runLoopCommand(backendArgs, options);
    });
}

function registerEmit(loop: Command): void {
  loop
    .command('emit')
    .description('write an event for the loop')
    .argument('<topic>')
    .argument('[payload...]')
    .action(async (topic: string, payload: string[]) => {
      const { emitEvent } = await import('../run-loop.js');
      process.exitCode = emitEvent(topic, payload.join(' '));
    });
}

function registerMemory(parent: Command): void {
  const memory = parent.command('memory').description('notes that are kept for later runs');
  const format = () => new Option('--format <format>', 'how to print').choices(FORMATS).default('table');
  const type = () => new Option('-t, --type <type>', 'the kind of memory').choices(MEMORY_TYPES);
  memory
    .command('add')
    .argument('<content>')
    .addOption(type().default('pattern'))
    .option('--tags <tags>', 'tags, separated by commas')
    .addOption(format())
    .action(async (content: string, options) => {
      const { addMemory } = await import('../loop-memory.js');
      process.exitCode = addMemory(content, options);
    });
  memory
    .command('list')
    .addOption(type())
    .option('-l, --last <n>', 'only the newest N', wholeNumber)
    .addOption(format())
    .action(async (options) => {
      const { listMemories } = await import('../loop-memory.js');
      process.exitCode = listMemories(options);
    });
  memory
    .command('search')
    .argument('<query>', 'a part of the content or of a tag')
    .addOption(type())
    .addOption(format())
    .action(async (query: string, options) => {
      const { listMemories } = await import('../loop-memory.js');
      process.exitCode = listMemories({ ...options, query });
    });
  memory
    .command('show')
    .argument('<id>')
    .addOption(format())
    .action(async (id: string, options) => {
      const { showMemory } = await import('../loop-memory.js');
      process.exitCode = showMemory(id, options);
    });
  memory
    .command('delete')
    .argument('<id>')
    .action(async (id: string) => {
      const { deleteMemory } = await import('../loop-memory.js');
      process.exitCode = deleteMemory(id);
    });
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(value);
}
