import type { AgentDriver } from '../driver.js';
import { settleModelAccess } from '../model-access.js';
import { type PerTurnCli, PerTurnSession } from '../per-turn-session.js';
import { codex as client } from './client.js';
import { CodexReader, type ThreadTotals } from './reader.js';

const cli: Omit<PerTurnCli, 'reader'> = {
  title: 'Codex',
  access: (options) => settleModelAccess(client, options),
  reports: ['tools'],
  variables: {},
  arguments: (text, session, { modelName, model, args = [] }) => [
    'exec',
    ...['--json', '--skip-git-repo-check'],
    // On loopback its settings file says so; with a real model there is none of ours.
    ...(model.kind === 'live' ? ['--dangerously-bypass-approvals-and-sandbox'] : []),
    ...(modelName === undefined ? [] : ['--model', modelName]),
    ...args,
    ...(session === undefined ? [] : ['resume', session]),
    '--',
    text,
  ],
};

/** Codex: `codex exec`, one process per turn. */
export const codexDriver: AgentDriver = {
  readCall: (args) =>
    args.includes('--json')
      ? { reader: new CodexReader({ resumed: args.includes('resume') }), reports: cli.reports }
      : undefined,
  async start(options) {
    const totals: ThreadTotals = new Map();
    const reader = () => new CodexReader({ totals, resumed: options.resume !== undefined });
    return new PerTurnSession({ ...cli, reader }, options);
  },
};
