import type { Command } from 'commander';
import type { InitOrchestratorOptions } from '../init-orchestrator.js';
import { register as test } from './e2e.js';
import { register as loop } from './loop.js';

interface InitOptions extends InitOrchestratorOptions {
  agent?: string;
}

/** `understudy orchestrator`: programs that call agents in a loop. */
export function register(program: Command): void {
  const orchestrator = program
    .command('orchestrator')
    .summary('test a program that calls agents in a loop: init, test, loop')
    .description('test a program that calls agents in a loop, such as Ralph');
  registerInit(orchestrator);
  test(orchestrator);
  loop(orchestrator);
}

function registerInit(orchestrator: Command): void {
  orchestrator
    .command('init')
    .description('write a contract for an orchestrator: how it is started, and how it reports that it ended')
    .argument('<command>', 'the program, such as "ralph run"; its --help is asked')
    .argument('[folder]', 'the folder for the contract', '.')
    .option('--prompt <words>', 'how it gets the prompt: "--prompt-file {{prompt_file}}", "{{prompt}}"')
    .option('--iterations <words>', 'how it gets its limit: "--max {{iterations}}"; "" if it has none')
    .option('--agent <words>', 'how it gets the agent: "--agent {{agent}}"; "" if it has one agent')
    .option('--deadline <words>', 'how it gets the time for an agent: "--timeout {{deadline}}"')
    .option('--promise <text>', 'what the agent says when the work is done')
    .option('--agents <list>', 'the agents that it can use: "claude,codex"')
    .option('--force', 'overwrite a file that exists')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 written, 1 the contract was written and its first case fails, 2 nothing was written.',
    )
    .action(async (command: string, folder: string, { agent, ...options }: InitOptions) => {
      const { initOrchestrator } = await import('../init-orchestrator.js');
      process.exitCode = await initOrchestrator(command, folder, {
        ...options,
        ...(agent === undefined ? {} : { backend: agent }),
      });
    });
}
