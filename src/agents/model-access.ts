import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined } from '../document/defined.js';
import { agentEnvironment, type ServedAgent } from '../model-server/environment.js';
import type { Environment } from '../process/environment.js';
import { makeFolder } from '../process/make-folder.js';
import type { StartOptions } from './driver.js';

/** What points a CLI at its model: variables, and arguments of its command line. */
export interface AccessSettings {
  env: Environment;
  args: string[];
}

/** How this CLI reaches the model it was given. Files that it needs for that are written into its home. */
export function settleModelAccess(
  agent: ServedAgent,
  { model, home }: Pick<StartOptions, 'model' | 'home'>,
): AccessSettings {
  switch (model.kind) {
    case 'loopback': {
      const { env, files, args } = agentEnvironment(
        agent,
        model,
        defined({ retries: model.retries, real: model.real }),
      );
      for (const [path, content] of Object.entries(files)) {
        makeFolder(dirname(join(home, path)));
        writeFileSync(join(home, path), content);
      }
      return { env, args };
    }
    case 'scenario':
      // The same arguments as the real CLI gets, so that a scenario sees the same model name.
      return { env: { UNDERSTUDY_SCENARIO: model.file }, args: agentEnvironment(agent, { url: '', key: '' }).args };
    case 'live':
      return { env: model.environment, args: [] };
  }
}
