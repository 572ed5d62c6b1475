import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findAgent } from '../agents/store/find-agent.js';
import { recorded } from '../calls/programs.js';
import { UnderstudyError } from '../errors.js';
import { portsOf } from '../isolation/isolation.js';
import { startModelServer } from '../model-server/server.js';
import { scrubbedEnvironment } from '../process/environment.js';
import { defineScenario } from '../scenario/load.js';
import { fakeKeys, putOnPath, type Stage, searchPath } from './stage.js';

const REAL = ['claude', 'opencode'] as const;

/**
 * The real CLIs on the scripted model. Kiro cannot be pointed at our server, so it is not tested here; a hat of another
 * backend that asks for Kiro gets its stand-in.
 */
export function scriptedStage(kiroStandIn: readonly string[]): Stage {
  return {
    name: 'scripted',
    async state(backend) {
      const missing = (detail: string) => ({
        agent: backend,
        version: null,
        available: false,
        authenticated: false,
        detail,
      });
      if (backend === 'kiro') return missing('kiro-cli cannot be pointed at a scripted model; use the stage sim');
      try {
        const { version } = await findAgent(backend);
        return {
          agent: backend,
          version,
          available: true,
          authenticated: true,
          detail: 'a fake key, on the scripted model',
        };
      } catch (error) {
        if (error instanceof UnderstudyError) return missing(`${error.message}: ${error.fix ?? ''}`);
        throw error;
      }
    },
    async prepare(workspace, setup) {
      const home = join(workspace, '.home');
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
        for (const agent of REAL) {
          const found = await findAgent(agent).catch(() => undefined);
          const surroundings = server.environment(agent, { retries: 1 });
          Object.assign(env, surroundings.env);
          for (const [path, text] of Object.entries(surroundings.files)) writeInto(home, path, text);
          if (found !== undefined)
            putOnPath(home, agent, recorded(agent, [...found.command, ...surroundings.args], home));
        }
      }
      return { env, ports: portsOf([server.url]), close: () => server.close() };
    },
  };
}

function writeInto(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
