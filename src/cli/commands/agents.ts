import type { Command } from 'commander';

interface ListOptions {
  json?: true;
  try?: true;
}

/** `understudy agents`: which CLIs are here, and fetching more. */
export function register(program: Command): void {
  const agents = program.command('agents').description('fetch agent CLIs from npm, and list the ones on this machine');

  agents
    .command('list', { isDefault: true })
    .description('list every CLI on this machine with its path and version')
    .option('--try', 'run one scripted turn with each; exit code 1 if one fails')
    .option('--json', 'print one JSON document')
    .action(async ({ json, try: tryTurn }: ListOptions) => {
      const { listAgents } = await import('../list-agents.js');
      process.exitCode = await listAgents({ json: json === true, tryTurn: tryTurn === true });
    });

  agents
    .command('add')
    .description('fetch CLIs into the store; the default version is the one that understudy is tested with')
    .argument('<agents...>', 'claude, claude@2.1.325, opencode, codex, gemini')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nThe store is $UNDERSTUDY_STORE, or understudy/agents in your cache folder.')
    .action(async (specs: string[], options: ListOptions) => {
      const { addAgents } = await import('../add-agents.js');
      process.exitCode = await addAgents(specs, options);
    });
}
