import type { AgentDriver, HomeOfCalls } from '../driver.js';
import { settleModelAccess } from '../model-access.js';
import { type PerTurnCli, PerTurnSession, turnEnvironment } from '../per-turn-session.js';
import { flagValue } from '../turn-reader.js';
import { opencode as client } from './client.js';
import { bringCatalog, prepareOpenCodeHome } from './prepared-home.js';
import { OpenCodeReader } from './reader.js';

const cli: PerTurnCli = {
  title: 'OpenCode',
  access: (options) => settleModelAccess(client, options),
  reports: ['tools'],
  variables: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  arguments: (text, session, { modelName, args = [] }) => [
    'run',
    // With a title given, it does not ask the model for one.
    ...['--format', 'json', '--title', 'understudy'],
    ...(session === undefined ? [] : ['--session', session]),
    ...(modelName === undefined ? [] : ['--model', modelName]),
    ...args,
    // It puts an argument with spaces in quotes before the model sees it; single words arrive as they are.
    '--',
    ...text.split(' '),
  ],
  reader: () => new OpenCodeReader(),
};

/** On a scripted model, all that this version knows can be asked for by name. */
async function offerModels({
  model,
  command,
  version,
  home,
}: Pick<HomeOfCalls, 'model' | 'command' | 'home'> & { version?: string | undefined }): Promise<void> {
  if (model.kind === 'loopback' && model.real === undefined && version !== undefined)
    await bringCatalog(home, command, version);
}

/** OpenCode: `opencode run`, one process per turn. */
export const openCodeDriver: AgentDriver = {
  readCall: (args) =>
    flagValue(args, '--format') === 'json' ? { reader: new OpenCodeReader(), reports: cli.reports } : undefined,
  start: async (options) => {
    const session = new PerTurnSession(cli, options);
    await offerModels({ ...options, ...options.found });
    return session;
  },
  async prepareHome(called) {
    await prepareOpenCodeHome(called.home, called.command, called.version);
    await offerModels(called);
  },
  terminal: {
    ready: /Ask anything|ctrl\+p/i,
    start: async (options, temp) => {
      const access = cli.access(options);
      await offerModels({ ...options, ...options.found });
      const { modelName, args = [] } = options;
      const model = modelName === undefined ? [] : ['--model', modelName];
      return {
        command: [...options.found.command, ...model, ...access.args, ...args],
        env: turnEnvironment(cli, options, { access, temp }),
      };
    },
  },
};
