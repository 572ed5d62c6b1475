import { fetchedNames } from '@understudy/agents';
import type { Command } from 'commander';

/** `understudy bisect`: the release of a CLI that broke a rehearsal. */
export function register(program: Command): void {
  program
    .command('bisect')
    .summary('find the release of a CLI that broke a rehearsal')
    .description('find the release of a CLI that broke a rehearsal, among the versions that npm has')
    .argument('<file>', 'a rehearsal')
    .requiredOption('--good <version>', 'a version with which it passes')
    .requiredOption('--bad <version>', 'a later version with which it fails')
    .option('--agent <agent>', new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(fetchedNames), 'claude')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nA version that cannot be installed, or in which a check cannot be judged, is skipped.\nExit codes: 0 found, 1 found but for versions that were skipped, 2 it could not be searched.',
    )
    .action(async (file: string, options: { good: string; bad: string; agent: string; json?: true }) => {
      const { bisectRehearsal } = await import('../bisect-rehearsal.js');
      process.exitCode = await bisectRehearsal(file, options);
    });
}
