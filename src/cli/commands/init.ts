import type { Command } from 'commander';
import type { InitOrchestratorOptions } from '../init-orchestrator.js';
import { isolationOption } from './run-options.js';

interface InitOptions extends InitOrchestratorOptions {
  orchestrator?: string;
  program?: string;
  start: boolean;
  isolation?: string;
}

export function register(program: Command): void {
  program
    .command('init')
    .description(
      'write a first rehearsal for the plugin in this folder or for a program, or a contract for an orchestrator',
    )
    .argument('[folder]', 'the folder of the plugin, or for the file that is written', '.')
    .option('--program <command>', 'write a rehearsal for this program, which calls agents or models; runs it twice')
    .option('--orchestrator <command>', 'write a contract for this program, such as "ralph run"; asks its --help')
    .option('--prompt <words>', 'how it gets the prompt: "--prompt-file {{prompt_file}}", "{{prompt}}"')
    .option('--iterations <words>', 'how it gets its limit: "--max {{iterations}}"; "" if it has none')
    .option('--backend <words>', 'how it gets the agent: "--agent {{agent}}"; "" if it has one agent')
    .option('--deadline <words>', 'how it gets the time for an agent: "--timeout {{deadline}}"')
    .option('--promise <text>', 'what the agent says when the work is done')
    .option('--agents <list>', 'the agents that it can use: "claude,codex"')
    .addOption(isolationOption())
    .option('--no-start', 'do not run the hooks and MCP servers of the plugin to see what they do')
    .option('--force', 'overwrite a file that exists')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 written, 1 the contract was written and its first case fails, 2 nothing was written.',
    )
    .action(async (folder: string, { orchestrator, program: tested, ...options }: InitOptions) => {
      if (tested !== undefined) {
        const { initProgram } = await import('../init-program.js');
        process.exitCode = await initProgram(tested, folder, options);
        return;
      }
      if (orchestrator === undefined) {
        const { withIsolation } = await import('../project-config.js');
        const { initRehearsal } = await import('../init-rehearsal.js');
        process.exitCode = await initRehearsal(folder, withIsolation(options));
        return;
      }
      const { initOrchestrator } = await import('../init-orchestrator.js');
      process.exitCode = await initOrchestrator(orchestrator, folder, options);
    });
}
