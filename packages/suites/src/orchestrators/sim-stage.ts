import { join } from 'node:path';
import { scrubbedEnvironment } from '@understudy/kit';
import type { Backend } from './case.js';
import { fakeKeys, putOnPath, type Stage, searchPath } from './stage.js';

/** How each stand-in is started. */
export type StandIns = Readonly<Record<Backend, readonly string[]>>;

/** The stand-ins, first on PATH: no CLI, no key, no network. */
export function simStage(standIns: StandIns, version: string): Stage {
  return {
    name: 'sim',
    state: async (backend) => ({ agent: backend, version, available: true, authenticated: true, detail: 'stand-in' }),
    async prepare({ workspace, setup }) {
      const home = join(workspace, '.home');
      for (const [backend, command] of Object.entries(standIns) as [Backend, readonly string[]][]) {
        if (setup.withoutBackend !== true) putOnPath(home, backend, command);
      }
      const env = {
        ...scrubbedEnvironment(),
        PATH: searchPath(home, setup),
        HOME: home,
        UNDERSTUDY_SCENARIO: join(workspace, 'scenario.json'),
        UNDERSTUDY_STATE: join(home, 'play-state.json'),
        UNDERSTUDY_LOG: join(home, 'prompts.jsonl'),
        ...(setup.loggedOut === true ? {} : fakeKeys),
      };
      return { env, close: async () => {} };
    },
  };
}
