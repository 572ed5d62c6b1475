import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDriver, ModelAccess, Stage } from '../agents/driver.js';
import { parseAgentSpec } from '../agents/spec.js';
import { standInCommand } from '../agents/stand-in.js';
import { type FoundAgent, findAgent } from '../agents/store/find-agent.js';
import { UnderstudyError } from '../errors.js';
import { type ModelServer, startModelServer } from '../model-server/server.js';
import type { Environment } from '../process/environment.js';
import { defineScenario, loadScenario, type Scenario } from '../scenario/load.js';
import { keepScenario } from '../scenario/scenario-cache.js';
import type { ConversationOptions } from './options.js';

/** The program that a stage needs: the stand-in, or the real one. */
export async function programFor(
  spec: string,
  stage: Stage,
): Promise<Omit<FoundAgent, 'version' | 'source'> & { version?: string }> {
  const { agent } = parseAgentSpec(spec);
  return stage === 'sim' ? { agent, command: standInCommand(agent) } : findAgent(spec);
}

/** The model that a stage gives to the CLI, and the server of ours behind it where there is one. */
export async function modelFor(
  stage: Stage,
  driver: AgentDriver,
  options: ConversationOptions,
  { scratch, home }: { scratch: string; home: string },
): Promise<{ model: ModelAccess; server?: ModelServer; owned?: ModelServer }> {
  switch (stage) {
    case 'sim':
      return { model: { kind: 'scenario', file: scenarioFile(scenarioOf(options), scratch, home) } };
    case 'scripted': {
      const retries = options.retries === undefined ? {} : { retries: options.retries };
      if (options.server !== undefined) {
        return { model: { kind: 'loopback', url: options.server.url, ...retries }, server: options.server };
      }
      const journal =
        options.artifacts === undefined ? {} : { journal: { file: join(options.artifacts, 'requests.jsonl') } };
      const server = await startModelServer({ scenario: scenarioOf(options), ...journal });
      return { model: { kind: 'loopback', url: server.url, ...retries }, server, owned: server };
    }
    case 'live':
      return { model: { kind: 'live', environment: liveEnvironment(driver) } };
    case 'replay':
      // A cassette is played by a server that looks like any other: whoever plays it gives it as `server`.
      if (options.server === undefined) {
        throw new UnderstudyError('CONVERSATION_NO_CASSETTE', 'a replay needs the server that plays the recording', {
          fix: 'Give it as `server`.',
        });
      }
      return { model: { kind: 'loopback', url: options.server.url }, server: options.server };
  }
}

/** The scenario that the options name. */
export function scenarioOf({ scenario }: ConversationOptions): Scenario {
  if (scenario === undefined) {
    throw new UnderstudyError('SCENARIO_MISSING', 'there is no scenario, so the model would have nothing to say', {
      fix: 'Give `scenario`: a file, or an object with `responses`.',
    });
  }
  if (typeof scenario === 'string') return loadScenario(scenario);
  return isLoaded(scenario) ? scenario : defineScenario(scenario);
}

function isLoaded(scenario: Exclude<ConversationOptions['scenario'], string | undefined>): scenario is Scenario {
  return 'document' in scenario;
}

function scenarioFile({ file: own, document }: Scenario, scratch: string, home: string): string {
  if (own !== undefined) return own;
  const file = join(scratch, 'scenario.json');
  const text = JSON.stringify(document);
  writeFileSync(file, text);
  // It is known to be valid: the stand-in finds it in its cache and need not look again.
  keepScenario({ document, file, warnings: [] }, text, { HOME: home });
  return file;
}

/** The only place where real credentials are read. They go to the CLI and nowhere else. */
function liveEnvironment({ credentials, agent }: AgentDriver): Environment {
  const environment: Environment = {};
  for (const name of [
    ...credentials,
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'NO_PROXY',
    'SSL_CERT_FILE',
    'NODE_EXTRA_CA_CERTS',
  ]) {
    const value = process.env[name];
    if (value !== undefined && value !== '') environment[name] = value;
  }
  if (!credentials.some((name) => environment[name] !== undefined)) {
    throw new UnderstudyError('AGENT_NOT_AUTHENTICATED', `there are no credentials for ${agent} in the environment`, {
      fix: `Set one of ${credentials.join(', ')}, or use the scripted stage, which needs none.`,
    });
  }
  return environment;
}
