import type { AgentDriver } from '../driver.js';
import { settleModelAccess } from '../model-access.js';
import { type PerTurnCli, PerTurnSession } from '../per-turn-session.js';
import { flagValue } from '../turn-reader.js';
import { geminiCli as client } from './client.js';
import { GeminiReader } from './reader.js';

const cli: PerTurnCli = {
  title: 'Gemini CLI',
  access: (options) => settleModelAccess(client, options),
  reports: ['tools'],
  variables: { GEMINI_CLI_NO_RELAUNCH: '1', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  arguments: (text, session, { modelName, args = [] }) => [
    ...['--approval-mode', 'yolo', '--output-format', 'stream-json'],
    ...args,
    ...(modelName === undefined ? [] : ['--model', modelName]),
    ...(session === undefined ? [] : ['--resume', session]),
    // With an equals sign, so that a prompt may begin with a dash.
    `--prompt=${text}`,
  ],
  reader: () => new GeminiReader(),
};

/** Gemini CLI: headless, one process per turn. */
export const geminiDriver: AgentDriver = {
  readCall: (args) =>
    flagValue(args, '--output-format', '-o') === 'stream-json'
      ? { reader: new GeminiReader(), reports: cli.reports }
      : undefined,
  start: async (options) => new PerTurnSession(cli, options),
};
