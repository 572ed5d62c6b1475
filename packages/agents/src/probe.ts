import { createScratch, defined, runAllSteps } from '@understudy/kit';
import { defineScenario } from '@understudy/script';
import { type AgentName, agents } from './agents.js';
import { type AgentSession, defaultDeadlines } from './driver.js';
import { loginKeys } from './login.js';
import { startModelServer } from './model/server.js';
import { askVersion } from './store/ask-version.js';
import type { AgentLocation } from './store/find-agent.js';

/** What is known of a CLI at one place. */
export interface Probe {
  agent: AgentName;
  source: AgentLocation['source'];
  command: string[];
  version?: string;
  /** It was started and reported its version. */
  answers: boolean;
  /** It held a scripted turn; absent when that was not tried, or cannot be. */
  plays?: boolean;
  /** There are credentials for it in the environment, so the live stage could work. They are not tried. */
  authenticated: boolean;
  problem?: string;
}

/** Examines a CLI: does it answer, and, where `turn` is wanted, does it hold a whole scripted turn? */
export async function probeAgent(place: AgentLocation, { turn = false } = {}): Promise<Probe> {
  const { agent, source, command } = place;
  const { version = place.version, problem } = await askVersion(place);
  const probe: Probe = {
    ...{ agent, source, command },
    ...defined({ version }),
    answers: problem === undefined,
    authenticated: Object.keys(loginKeys(agent, process.env)).length > 0,
    ...defined({ problem }),
  };
  if (!turn || !probe.answers || !agents[agent].stages.includes('scripted')) return probe;
  const failure = await playTurn(place);
  return { ...probe, plays: failure === undefined, ...defined({ problem: failure }) };
}

const ANSWER = 'All is well.';

/** Says hello to it on a scripted model; gives what went wrong. */
async function playTurn({ agent, command }: AgentLocation): Promise<string | undefined> {
  const scratch = createScratch('probe');
  const server = await startModelServer({ scenario: defineScenario({ default_response: ANSWER }) });
  let said = '';
  let session: AgentSession | undefined;
  try {
    const driver = await agents[agent].driver();
    session = await driver.start({
      found: { agent, command },
      stage: 'scripted',
      model: { kind: 'loopback', url: server.url, key: server.key, retries: 0 },
      cwd: scratch.path,
      home: scratch.path,
      emit: (event) => {
        if (event.type === 'text') said += event.text;
      },
      permissions: () => ({ behavior: 'deny', message: 'only a probe' }),
      deadlines: { ...defaultDeadlines, turnMs: 60_000 },
    });
    const ended = await session.send('Is all well?');
    if (ended.outcome !== 'completed') return ended.message ?? ended.reason ?? ended.outcome;
    return said === ANSWER ? undefined : `it said ${JSON.stringify(said)} instead of what was scripted`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await runAllSteps([() => session?.end(), () => server.close(), () => scratch.remove()]);
  }
}
