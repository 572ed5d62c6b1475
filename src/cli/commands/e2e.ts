import { agentNames } from '@understudy/agents';
import { backends } from '@understudy/suites';
import { Argument, type Command, Option } from 'commander';
import type { E2eOptions } from '../run-e2e.js';
import { addRunOptions, configOption, positive } from './run-options.js';

/** Those that Ralph's suite does not have. */
const withOrchestrator = new Intl.ListFormat('en-GB').format(
  agentNames.filter((name) => !backends.some((backend) => backend === name)),
);

/** `understudy orchestrator test`: does the orchestrator work, on every backend? */
export function register(orchestrator: Command): void {
  registerAs(orchestrator.command('test'));
}

/** The same under the name that Ralph's suite has. */
export function registerShort(program: Command): void {
  registerAs(program.command('e2e').summary('short for `orchestrator test`'));
}

function registerAs(command: Command): void {
  command
    .description('test an orchestrator on every backend: hats, events, memories, limits')
    .addArgument(
      new Argument('[backend]', `the backend to test; ${withOrchestrator} with --contract`)
        .choices([...[...agentNames].sort(), 'all'])
        .default('all'),
    )
    .addOption(
      new Option(
        '--stage <stage>',
        'stand-ins, or the real CLIs: on a scripted model, on recorded answers, or with your login',
      )
        .choices(['sim', 'scripted', 'replay', 'live'])
        .default('scripted'),
    )
    .option('--record', 'on live: write a cassette for each case; on replay: record what has none')
    .option('--speed <n>', 'on replay: 1 keeps the timing of the recording (default: as fast as possible)', positive)
    .option('--list', 'list the cases, and run nothing')
    .option('--ralph <path>', 'the ralph to test (default: RALPH_BIN, else ralph on PATH)')
    .addOption(new Option('--contract <file>', 'test any orchestrator, by its contract').conflicts(['ralph', 'loop']))
    .addOption(
      new Option('--filter <text>', 'as --grep: the name in the specification of the suite')
        .hideHelp()
        .conflicts('grep'),
    )
    .addOption(new Option('--loop', 'test the reference loop that comes with understudy').conflicts('ralph'))
    .option('--skip-baselines', 'skip the proof that each case can fail')
    .addOption(
      new Option('--report <format>', 'what is written into .e2e-tests/: report.md, report.json, or both')
        .choices(['markdown', 'json', 'both'])
        .default('markdown'),
    )
    .option('--skip-analysis', 'ask no agent what the results mean')
    .addOption(configOption())
    .option('--analyzer <path>', 'the ralph.yml of the agent that analyzes the results (default: built in)');
  addRunOptions(command).action(async (backend: string, { filter, ...options }: E2eOptions & { filter?: string }) => {
    const { runE2e } = await import('../run-e2e.js');
    const { readProjectConfig } = await import('@understudy/runner');
    const { withConfig } = await import('../config-flags.js');
    process.exitCode = await runE2e(
      backend,
      withConfig({ ...options, ...(filter === undefined ? {} : { grep: filter }) }, readProjectConfig()),
    );
  });
}
