import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LoopRunOptions } from '../run-loop.js';

const MEMORY_TYPES = ['pattern', 'decision', 'fix', 'context'];
const FORMATS = ['table', 'json', 'markdown', 'quiet'];

/** `understudy loop`: a small Ralph, with its command line and exit codes. */
export function register(program: Command): void {
  const loop = program
    .command('loop')
    .description('the reference orchestrator: runs an agent in a loop of hats and events, as Ralph does');
  registerRun(loop);
  registerEmit(loop);
  registerMemory(loop);
  registerMemory(loop.command('tools').description('tools for agents, where Ralph has them'));
}

function registerRun(loop: Command): void {
  loop
    .command('run')
    .description('run the loop in this folder')
    .argument('[backendArgs...]', 'behind --, handed on to the backend')
    .option('-c, --config <file>', 'the configuration (default: ralph.yml, if there is one)')
    .option('-p, --prompt <text>', 'the objective')
    .option('-P, --prompt-file <file>', 'the objective, in a file')
    .option('--max-iterations <n>', 'stop after so many', wholeNumber)
    .option('--completion-promise <text>', 'the line that completes the loop')
    .addOption(
      new Option('-b, --backend <name>', 'the agent').choices([
        'claude',
        'kiro',
        'opencode',
        'gemini',
        'codex',
        'custom',
      ]),
    )
    .option('--continue', 'take up the work that the scratchpad tells of')
    .option('--dry-run', 'say what would be run, and run nothing')
    .option('-v, --verbose', 'show the events too')
    .option('-q, --quiet', 'show the end only')
    .addHelpText(
      'after',
      '\nExit codes: 0 completed or cancelled, 1 failed, 2 a limit was reached, 130 interrupted.\n' +
        'Facts for a harness: .ralph/current-events and .ralph/current-iterations name JSONL files.',
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
  const memory = parent.command('memory').description('what was learnt, kept for later runs');
  const format = () => new Option('--format <format>', 'how to print').choices(FORMATS).default('table');
  const type = () => new Option('-t, --type <type>', 'the kind of memory').choices(MEMORY_TYPES);
  memory
    .command('add')
    .argument('<content>')
    .addOption(type().default('pattern'))
    .option('--tags <tags>', 'separated by commas')
    .addOption(format())
    .action(async (content: string, options) => {
      const { addMemory } = await import('../loop-memory.js');
      process.exitCode = addMemory(content, options);
    });
  memory
    .command('list')
    .addOption(type())
    .option('-l, --last <n>', 'the newest only', wholeNumber)
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
