import { stages } from '@understudy/agents';
import { placeIn } from '@understudy/kit';
import { type Command, Option } from 'commander';
import type { QueueRunOptions } from '../run-on-queue.js';
import { addRunOptions, collect, positive, wholeNumber } from './run-options.js';

export function register(program: Command): void {
  const command = program
    .command('run')
    .summary('run rehearsals')
    .alias('test')
    .description(
      'run rehearsals; a folder is searched for *.rehearsal.toml (.yaml, .json, .mjs, .ts), for plugins with evals, and for files of your suites',
    )
    .argument(
      '[paths...]',
      'files, FILE:LINE (the row there, if one is) and folders (default: `paths` of understudy.toml, else this folder)',
    )
    .addOption(
      new Option('--stage <stage>', 'where the rehearsals are played (default: what they say, else scripted)').choices(
        stages,
      ),
    )
    .option('--agent <agent>', 'claude, claude@2.1.325 …; may be given several times', collect)
    .option('--model <model>', 'the model that the agents are started with; may be given several times', collect)
    .option('--target <name>', 'one row of [[targets]] (default: all); may be given several times', collect)
    .option('--timeout <ms>', 'milliseconds for each step that says nothing itself (default: 180000)', wholeNumber)
    .option('--record', 'on live: write cassettes; on replay: record what has none, with the real model')
    .option('--speed <n>', 'on replay: 1 keeps the timing of the recording (default: as fast as possible)', positive)
    .option(
      '--from-turn <n>',
      'on replay: from turn N on, the rules answer; with --record, the real model',
      wholeNumber,
    )
    .addOption(
      new Option('--changed [ref]', 'run only what a change can touch: since REF, or what is not committed').conflicts(
        'watch',
      ),
    )
    .option('--list', 'list the rehearsals, and run nothing')
    .option('-u, --update', 'update the stored snapshots')
    .option('--queue <url>', 'put the run into the queue of this Postgres database, for `understudy worker`')
    .option('--wait', 'with --queue: wait for the run, show it as it goes, and end with its exit code')
    .option(
      '--bundle <path>',
      'with --queue: another file or folder that the entries need; may be given several times',
      collect,
    )
    .option('--queue-limit <n>', 'with --queue: refuse when more entries than this would wait', wholeNumber, 100_000)
    .option('--live-rate <n>', 'with --queue: start at most N live entries of an agent in a minute', wholeNumber)
    .addOption(
      new Option('--resume', 'continue the last run if it was killed: run only what had not finished').conflicts([
        'watch',
        'list',
      ]),
    );
  addRunOptions(command).action(async (paths: string[], options: Record<string, unknown>) => {
    const { readProjectConfig } = await import('@understudy/runner');
    const { withConfig, withTargets } = await import('../config-flags.js');
    const config = readProjectConfig();
    const places = paths.map(placeIn);
    const chosen = places.length > 0 ? places.map(({ file }) => file) : (config.paths ?? ['.']);
    const flags = {
      ...withConfig(options, config),
      ...withTargets(options, config),
      ...{ defaults: config, suites: config.suites, places },
    };
    if (options['queue'] !== undefined) {
      const { runOnQueue } = await import('../run-on-queue.js');
      process.exitCode = await runOnQueue(chosen, flags as unknown as QueueRunOptions);
      return;
    }
    const { runRehearsals } = await import('../run-rehearsals.js');
    process.exitCode = await runRehearsals(chosen, flags);
  });
}
