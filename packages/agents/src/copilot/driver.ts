import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd, scrubbedEnvironment } from '@understudy/kit';
import type { AgentDriver, HomeOfCalls } from '../driver.js';
import { settleModelAccess } from '../model-access.js';
import { type PerTurnCli, PerTurnSession } from '../per-turn-session.js';
import { flagValue } from '../turn-reader.js';
import { copilot as client } from './client.js';
import { COPILOT_ALONE } from './environment.js';
import { CopilotReader } from './reader.js';

const cli: Omit<PerTurnCli, 'reader' | 'arguments'> = {
  title: 'Copilot',
  access: (options) => settleModelAccess(client, options),
  reports: ['tools', 'subagents'],
  variables: COPILOT_ALONE,
};

const UNPACK_MS = 120_000;

/** Before the first turn it unpacks itself, into a folder that may be closed to it later. */
async function unpack({
  home,
  command,
  version,
}: Pick<HomeOfCalls, 'home' | 'command'> & { version?: string | undefined }) {
  const { COPILOT_PKG_CACHE_HOME: folder } = COPILOT_ALONE;
  if (version !== undefined && existsSync(join(folder, `pkg/${process.platform}-${process.arch}/${version}`))) return;
  await runToEnd({
    command: [...command, '--version'],
    cwd: home,
    env: scrubbedEnvironment({ HOME: home, COPILOT_OFFLINE: 'true', ...COPILOT_ALONE }),
    deadlineMs: UNPACK_MS,
  });
}

/** GitHub Copilot CLI: headless, one process per turn. */
export const copilotDriver: AgentDriver = {
  readCall: (args) =>
    flagValue(args, '--output-format') === 'json' ? { reader: new CopilotReader(), reports: cli.reports } : undefined,
  async start(options) {
    await unpack({ ...options.found, home: options.home });
    // It reports the name of a session only at the end of a turn, and takes one from us.
    const session = options.resume ?? randomUUID();
    const words: PerTurnCli['arguments'] = (text, _session, { modelName, args = [] }) => [
      ...['--output-format', 'json', '--allow-all', '--no-color', '--session-id', session],
      ...(modelName === undefined ? [] : ['--model', modelName]),
      ...args,
      // With an equals sign, so that a prompt may begin with a dash.
      `--prompt=${text}`,
    ];
    return new PerTurnSession({ ...cli, arguments: words, reader: () => new CopilotReader(session) }, options);
  },
  prepareHome: unpack,
};
