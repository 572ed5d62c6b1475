import { fetchedNames } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import { type Command, Option } from 'commander';

interface ListOptions {
  json?: true;
  try?: true;
}

interface AddFlags {
  json?: boolean;
  timeout?: number;
}

/** `understudy agents`: which CLIs are here, fetching more, and removing what nobody needs. */
export function register(program: Command): void {
  const agents = program
    .command('agents')
    .summary('fetch agent CLIs from npm, list, update and remove them')
    .description('fetch agent CLIs from npm, list the ones on this machine, and remove fetched ones');

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
    .argument('<agents...>', fetchedNames.join(', ').replace('claude', '$&, $&@2.1.325'))
    .addOption(timeoutOption())
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nThe store is $UNDERSTUDY_STORE, or understudy/agents in your cache folder.')
    .action(async (specs: string[], options: AddFlags) => {
      const { addAgents } = await import('../add-agents.js');
      process.exitCode = await addAgents(specs, options);
    });

  agents
    .command('update')
    .description('fetch the versions that this understudy is tested with, of every CLI in the store or of those named')
    .argument('[agents...]', fetchedNames.join(', '))
    .addOption(timeoutOption())
    .option('--json', 'print one JSON document')
    .action(async (names: string[], options: AddFlags) => {
      const { updateAgents } = await import('../add-agents.js');
      process.exitCode = await updateAgents(names, options);
    });

  agents
    .command('remove')
    .description('remove versions from the store; one that a process uses stays')
    .argument('<agents...>', 'claude@2.1.197')
    .option('--json', 'print one JSON document')
    .action(async (specs: string[], { json = false }: { json?: boolean }) => {
      const { removeAgents } = await import('../remove-agents.js');
      process.exitCode = await removeAgents(specs, json);
    });

  agents
    .command('prune')
    .description('remove all versions from the store that are not pinned; what a process uses stays')
    .option('--keep <number>', 'keep the newest of the other versions of each CLI, too', countFrom, 0)
    .option('--json', 'print one JSON document')
    .action(async ({ keep, json = false }: { keep: number; json?: boolean }) => {
      const { pruneStore } = await import('../remove-agents.js');
      process.exitCode = await pruneStore(keep, json);
    });
}

function timeoutOption(): Option {
  return new Option('--timeout <minutes>', 'end npm after this time (default: 10)').argParser(minutesFrom);
}

function minutesFrom(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= 24 * 60) return minutes;
  throw new UnderstudyError('BAD_FLAG', `${JSON.stringify(text)} is not a number of minutes`, {
    fix: 'Write it as --timeout 30.',
  });
}

function countFrom(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UnderstudyError('BAD_FLAG', `${JSON.stringify(text)} is not a number of versions`, {
    fix: 'Write it as --keep 1.',
  });
}
