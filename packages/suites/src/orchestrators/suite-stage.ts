import { join } from 'node:path';
import {
  agents,
  findAgent,
  type ServedAgent,
  servedAgents,
  settleModelAccess,
  standInCommand,
} from '@understudy/agents';
import { defined, scrubbedEnvironment, UnderstudyError } from '@understudy/kit';
import { hasCassette, Upstreams } from '@understudy/model';
import { type OpenedStage, openStage, recorded } from '@understudy/stage';
import type { AgentState } from '@understudy/verdict';
import { type Backend, backends, type StageName } from './case.js';
import { expectsRefusal, liveStage } from './live-stage.js';
import {
  backendsOf,
  type CaseStage,
  fakeKeys,
  type Preparation,
  type Prepared,
  putOnPath,
  searchPath,
} from './stage.js';

export interface SuiteStageOptions {
  /** On live: through the recorder. */
  record?: boolean | undefined;
  /** On replay: 1 keeps the timing of the recording. */
  speed?: number | undefined;
  /** Of the stand-ins. */
  version: string;
}

/**
 * Where the agents of cases run. On live they have the user's own login; else a home of their own and fake keys, also where
 * they are recorded: only the recorder has the real ones.
 */
export function suiteStage(name: StageName, options: SuiteStageOptions): CaseStage {
  if (name === 'live' && options.record !== true) return liveStage();
  return {
    name,
    ...(name === 'live' ? { records: true } : {}),
    state: (backend) => stateOn(name, backend, options),
    prepare: (preparation) => prepare(name, preparation, options),
  };
}

/** What stands for a login, and why a CLI cannot be played. */
const WORDS = {
  scripted: {
    signedIn: 'a fake key, on the scripted model',
    notServed: 'cannot be pointed at a scripted model; use the stage sim',
  },
  replay: {
    signedIn: 'a fake key, on recorded answers',
    notServed: 'cannot be pointed at a recording; use the stage sim',
  },
  live: {
    signedIn: 'a key of the environment, through the recorder',
    notServed: 'cannot be pointed at a recorder; use the stage live without --record',
  },
};
const NO_KEY = 'there is no key for it in the environment; the recorder needs one, such as ANTHROPIC_API_KEY';

async function stateOn(name: StageName, agent: Backend, { version }: SuiteStageOptions): Promise<AgentState> {
  if (name === 'sim') return { agent, version, available: true, authenticated: true, detail: 'stand-in' };
  const missing = { agent, version: null, available: false, authenticated: false };
  const { signedIn, notServed } = WORDS[name];
  if (!isServed(agent)) return { ...missing, detail: `${agents[agent].program} ${notServed}` };
  try {
    const found = await findAgent(agent);
    const authenticated = name !== 'live' || hasRealModel(agent);
    const detail = authenticated ? signedIn : NO_KEY;
    return { agent, version: found.version, available: true, authenticated, detail };
  } catch (error) {
    if (error instanceof UnderstudyError) return { ...missing, detail: `${error.message}: ${error.fix ?? ''}` };
    throw error;
  }
}

/** The real CLIs that can be pointed at a server of ours. */
function isServed(backend: Backend): backend is Backend & ServedAgent {
  return servedAgents.some((agent) => agent === backend);
}

/** Whether the environment leads to a real model for it: one of its own, else one of Anthropic's. */
function hasRealModel(backend: Backend & ServedAgent): boolean {
  const { apis } = agents[backend].client;
  if (apis !== undefined) return apis.upstreams(process.env).length > 0;
  return Upstreams.of(process.env).names.some((name) => /^(?:anthropic|bedrock|vertex)$/.test(name));
}

async function prepare(name: StageName, preparation: Preparation, { speed }: SuiteStageOptions): Promise<Prepared> {
  const { workspace, setup, backend, cassette } = preparation;
  const home = join(workspace, '.home');
  const env = {
    ...scrubbedEnvironment(),
    ...(name === 'sim' && setup.loggedOut === true ? {} : fakeKeys),
    ...{ PATH: searchPath(home, setup), HOME: home },
    ...(name === 'sim' || name === 'scripted' ? { UNDERSTUDY_SCENARIO: join(workspace, 'scenario.json') } : {}),
    ...(name === 'sim'
      ? { UNDERSTUDY_STATE: join(home, 'play-state.json'), UNDERSTUDY_LOG: join(home, 'prompts.jsonl') }
      : // Claude Code lets root skip permissions only in a sandbox, which this variable declares.
        { IS_SANDBOX: '1' }),
  };
  const prepared = { env, close: async () => {} };
  if (setup.withoutBackend === true) return prepared;
  if (name === 'sim') {
    for (const agent of backends) putOnPath(home, agent, standInCommand(agent));
    return prepared;
  }
  const isScripted = name === 'scripted';
  if (!isScripted && cassette === undefined) return prepared;
  if (name === 'replay' && !hasCassette(cassette ?? '')) throw missingCassette(cassette);
  const asking: readonly Backend[] = isScripted ? backends : backendsOf(backend, setup);
  const agents = asking.filter(isServed);
  const refused = expectsRefusal(setup);
  const model = await openStage(name, {
    ...{ agents, scenario: setup.scenario, forPrograms: true },
    folders: { cwd: workspace, home },
    ...(cassette === undefined
      ? {}
      : { cassette: { file: cassette, record: name === 'live', speed, keepEmpty: true, invalidKeys: refused } }),
  });
  try {
    // What cannot be pointed at our server: a hat of another backend that asks for it gets its stand-in.
    const notServed = backends.filter((agent) => !isServed(agent));
    if (isScripted) for (const agent of notServed) putOnPath(home, agent, standInCommand(agent));
    for (const agent of agents) {
      // Otherwise Claude Code retries a refused key for minutes.
      const access = model.access(agent, isScripted || refused ? 1 : undefined);
      Object.assign(env, await placeReal(agent, home, access));
    }
  } catch (error) {
    await model.close();
    throw error;
  }
  const writer = model.recording?.writer;
  return {
    ...{ env, server: model.server, close: () => model.close() },
    ...(name === 'replay' ? { usage: () => model.usage() ?? { unused: [], unmatched: [] } } : {}),
    ...defined({ seen: writer === undefined ? undefined : (event: { type: string }) => writer.seen(event) }),
  };
}

/** Puts a real CLI on the PATH of a case, if it is on this machine. Gives its variables. */
async function placeReal(
  agent: Backend & ServedAgent,
  home: string,
  model: ReturnType<OpenedStage['access']>,
): Promise<Prepared['env']> {
  const found = await findAgent(agent).catch(() => undefined);
  const { env, args } = settleModelAccess(agents[agent].client, { model, home });
  if (found !== undefined) putOnPath(home, agent, recorded(agent, [...found.command, ...args], home));
  return env;
}

function missingCassette(file: string | undefined): UnderstudyError {
  return new UnderstudyError('CASSETTE_MISSING', `there is no cassette ${file}`, {
    fix: 'Record it with `understudy e2e --stage live --record`, and commit it.',
  });
}
