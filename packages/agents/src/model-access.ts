import { defined, type Environment, UntrustedFolder } from '@understudy/kit';
import type { ServedClient } from '@understudy/model';
import type { StartOptions } from './driver.js';

/** What points a CLI at its model: variables, and arguments of its command line. */
export interface AccessSettings {
  env: Environment;
  args: string[];
}

/** How this CLI reaches the model it was given. Files that it needs for that are written into its home. */
export function settleModelAccess(
  client: ServedClient,
  { model, home }: Pick<StartOptions, 'model' | 'home'>,
): AccessSettings {
  switch (model.kind) {
    case 'loopback': {
      const { env, files, args } = client.environment(model, defined({ retries: model.retries, real: model.real }));
      const written = new UntrustedFolder(home);
      for (const [path, content] of Object.entries(files)) written.write(path, content);
      return { env, args };
    }
    case 'scenario':
      // The same arguments as the real CLI gets, so that a scenario sees the same model name.
      return {
        env: { UNDERSTUDY_SCENARIO: model.file },
        args: client.environment({ url: '', key: '' }, {}).args,
      };
    case 'live':
      return { env: model.environment, args: [] };
  }
}
