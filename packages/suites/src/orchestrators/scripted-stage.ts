import { join } from 'node:path';
import { scrubbedEnvironment } from '@understudy/kit';
import { defineScenario } from '@understudy/script';
import { portsOf } from '@understudy/stage';
import { placeRealAgents, realAgentState, servedBackends } from './place-real-agents.js';
import { fakeKeys, putOnPath, type Stage, searchPath } from './stage.js';

/**
 * The real CLIs on the scripted model. Kiro cannot be pointed at our server, so it is not tested here; a hat of another
 * backend that asks for Kiro gets its stand-in.
 */
export function scriptedStage(kiroStandIn: readonly string[]): Stage {
  return {
    name: 'scripted',
    state: (backend) =>
      realAgentState(
        backend,
        () => ({ authenticated: true, detail: 'a fake key, on the scripted model' }),
        'kiro-cli cannot be pointed at a scripted model; use the stage sim',
      ),
    async prepare({ workspace, setup }) {
      const home = join(workspace, '.home');
      const { startModelServer } = await import('@understudy/agents');
      const server = await startModelServer({ scenario: defineScenario(setup.scenario) });
      const env = {
        ...scrubbedEnvironment(),
        ...fakeKeys,
        PATH: searchPath(home, setup),
        HOME: home,
        UNDERSTUDY_SCENARIO: join(workspace, 'scenario.json'),
        // Claude Code lets root skip permissions only in a sandbox, which this variable declares.
        IS_SANDBOX: '1',
      };
      if (setup.withoutBackend !== true) {
        putOnPath(home, 'kiro', kiroStandIn);
        Object.assign(env, await placeRealAgents(home, server, servedBackends, { retries: 1 }));
      }
      return { env, ports: portsOf([server.url]), close: () => server.close() };
    },
  };
}
