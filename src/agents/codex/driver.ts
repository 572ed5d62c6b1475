import type { AgentDriver } from '../driver.js';
import { settleModelAccess } from '../model-access.js';
import { type PerTurnCli, PerTurnSession } from '../per-turn-session.js';
import { CodexReader } from './reader.js';

const cli: PerTurnCli = {
  title: 'Codex',
  access: (options) => settleModelAccess('codex', options),
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
  reader: () => new CodexReader(),
};

/** Codex: `codex exec`, one process per turn. */
export const codexDriver: AgentDriver = {
  agent: 'codex',
  stages: ['sim', 'scripted', 'live'],
  credentials: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_BASE_URL'],
  readCall: (args) => (args.includes('--json') ? { reader: new CodexReader(), reports: cli.reports } : undefined),
  start: async (options) => new PerTurnSession(cli, options),
};
