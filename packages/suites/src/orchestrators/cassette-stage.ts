import { join } from 'node:path';
import { findAgent } from '@understudy/agents';
import { type Environment, scrubbedEnvironment, UnderstudyError } from '@understudy/kit';
import { hasCassette, type ModelServer, Upstreams } from '@understudy/model';
import { portsOf } from '@understudy/stage';
import type { CaseSetup } from './case.js';
import { expectsRefusal } from './live-stage.js';
import { isServed, placeRealAgents, realAgentState, type ServedBackend } from './place-real-agents.js';
import { backendsOf, fakeKeys, type Preparation, type Stage, searchPath } from './stage.js';

/**
 * The real CLIs on their real models, through the recorder. They are set up as for the replay: a home of their own, and
 * keys that only the recorder has.
 */
export function recordingStage(environment: NodeJS.ProcessEnv = process.env): Stage {
  const upstreams = Upstreams.of(environment).names;
  return {
    name: 'live',
    records: true,
    state: (backend) =>
      realAgentState(
        backend,
        () => {
          const authenticated = upstreams.some(isFor(backend));
          const detail = authenticated
            ? 'a key of the environment, through the recorder'
            : 'there is no key for it in the environment; the recorder needs one, such as ANTHROPIC_API_KEY';
          return { authenticated, detail };
        },
        'kiro-cli cannot be pointed at a recorder; use the stage live without --record',
      ),
    async prepare(preparation) {
      const { workspace, setup, cassette } = preparation;
      if (setup.withoutBackend === true || cassette === undefined) return withoutModel(preparation);
      const agents = servedOf(preparation);
      const found = await Promise.all(agents.map((agent) => findAgent(agent, { environment })));
      const { startRecording } = await import('@understudy/agents');
      const { server, writer } = await startRecording({
        ...{ file: cassette, environment, keepEmpty: true, folders: foldersOf(workspace) },
        header: { agents: found.map(({ agent, version }) => ({ agent, version })) },
        invalidKeys: expectsRefusal(setup),
      });
      return { ...(await onServer(preparation, server, agents)), seen: (event) => writer.seen(event) };
    },
  };
}

/** The real CLIs on what was recorded. */
export function replayStage(options: { speed?: number | undefined } = {}): Stage {
  return {
    name: 'replay',
    state: (backend) =>
      realAgentState(
        backend,
        () => ({ authenticated: true, detail: 'a fake key, on recorded answers' }),
        'kiro-cli cannot be pointed at a recording; use the stage sim',
      ),
    async prepare(preparation) {
      const { workspace, setup, cassette } = preparation;
      if (setup.withoutBackend === true || cassette === undefined) return withoutModel(preparation);
      if (!hasCassette(cassette)) throw missingCassette(cassette);
      const { startReplay } = await import('@understudy/agents');
      const server = await startReplay({ file: cassette, folders: foldersOf(workspace), speed: options.speed });
      return { ...(await onServer(preparation, server, servedOf(preparation))), usage: () => server.usage() };
    },
  };
}

function isFor(backend: string): (upstream: string) => boolean {
  return (name) =>
    backend === 'opencode' ? name.startsWith('opencode.') : /^(?:anthropic|bedrock|vertex)$/.test(name);
}

function servedOf({ backend, setup }: Preparation): ServedBackend[] {
  return backendsOf(backend, setup).filter(isServed);
}

function foldersOf(workspace: string) {
  return { cwd: workspace, home: join(workspace, '.home') };
}

async function onServer({ workspace, setup }: Preparation, server: ModelServer, agents: readonly ServedBackend[]) {
  const home = join(workspace, '.home');
  try {
    // Otherwise Claude Code retries a refused key for minutes.
    const placed = await placeRealAgents(home, server, agents, expectsRefusal(setup) ? { retries: 1 } : {});
    const env = { ...environmentIn(home, setup), ...placed };
    return { env, ports: portsOf([server.url]), close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function withoutModel({ workspace, setup }: Preparation) {
  return { env: environmentIn(join(workspace, '.home'), setup), close: async () => {} };
}

function environmentIn(home: string, setup: CaseSetup): Environment {
  return {
    ...scrubbedEnvironment(),
    ...fakeKeys,
    PATH: searchPath(home, setup),
    HOME: home,
    // Claude Code lets root skip permissions only in a sandbox, which this variable declares.
    IS_SANDBOX: '1',
  };
}

function missingCassette(file: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_MISSING', `there is no cassette ${file}`, {
    fix: 'Record it with `understudy e2e --stage live --record`, and commit it.',
  });
}
