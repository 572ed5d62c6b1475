import type { Command } from 'commander';

interface ListOptions {
  json?: true;
  try?: true;
}

/** `understudy agents`: which CLIs are here, and fetching more. */
export function register(program: Command): void {
  const agents = program
    .command('agents')
    .description('fetch agent CLIs from npm, list what is found and whether it is usable');

  agents
    .command('list', { isDefault: true })
    .description('every CLI that was found: where, which version, whether it answers')
    .option('--try', 'hold a whole scripted turn with each; 1 when one fails')
    .option('--json', 'print one JSON document')
    .action(async ({ json, try: tryTurn }: ListOptions) => {
      const { listAgents } = await import('../list-agents.js');
      process.exitCode = await listAgents({ json: json === true, tryTurn: tryTurn === true });
    });

  agents
    .command('add')
    .description('fetch CLIs into the store; without a version, the one that understudy is tested with')
    .argument('<agents...>', 'claude, claude@2.1.325, opencode, codex, gemini')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nThe store is $UNDERSTUDY_STORE, else understudy/agents in your cache folder.')
    .action(async (specs: string[], options: ListOptions) => {
      const { addAgents } = await import('../add-agents.js');
      process.exitCode = await addAgents(specs, options);
    });
}
