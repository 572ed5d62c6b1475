import { defined, UnderstudyError } from '@understudy/kit';
import type { Scenario } from '@understudy/script';
import type { Answerer } from '../server/answerer.js';
import type { ServedClient } from '../server/clients/client.js';
import type { RealModelSettings } from '../server/environment.js';
import type { JournalOptions } from '../server/journal.js';
import { type ModelServer, startModelServer } from '../server/server.js';
import type { Folders } from './folders.js';
import type { CassetteHeader } from './format.js';
import { CassetteFile } from './reader.js';
import { Recorder } from './recorder.js';
import { Replayer, type ReplayOptions } from './replayer.js';
import { Upstreams } from './upstream.js';
import { CassetteWriter } from './writer.js';

export interface RecordingOptions {
  /** The CLIs that the server knows. */
  clients?: readonly ServedClient[];
  file: string;
  header: Pick<CassetteHeader, 'agents' | 'command' | 'setting'>;
  folders?: Folders;
  journal?: JournalOptions;
  /** What clients must send as their API key. By default a random one is made. */
  key?: string;
  /** Where keys and addresses of the real APIs are. */
  environment?: NodeJS.ProcessEnv;
  /** The real APIs are asked with keys that they refuse. */
  invalidKeys?: boolean;
  /** A recording in which nobody asked is kept, too. By default there is none then. */
  keepEmpty?: boolean;
}

/** A server that asks the real model, and what is written about it. */
export interface Recording {
  server: ModelServer;
  writer: CassetteWriter;
  recorder: Recorder;
}

/** Starts a server that passes requests on to the real APIs, and records them. */
export async function startRecording(options: RecordingOptions): Promise<Recording> {
  const {
    file,
    header,
    folders = {},
    journal,
    key,
    environment = process.env,
    keepEmpty = false,
    clients = [],
  } = options;
  const found = Upstreams.of(environment, clients);
  const upstreams = options.invalidKeys === true ? found.withInvalidKeys() : found;
  if (upstreams.names.length === 0) throw noKeys();
  const variables = modelVariables(environment, clients);
  const asking = clients.find(
    ({ name, apis }) => apis !== undefined && header.agents.some(({ agent }) => agent === name),
  );
  const configuration = asking?.apis?.configuration(environment, upstreams.names);
  const writer = new CassetteWriter({
    ...{ file, folders, environment },
    header: {
      ...header,
      ...(Object.keys(variables).length === 0 ? {} : { variables }),
      ...defined({ opencode: configuration }),
    },
  });
  const google = environment['GOOGLE_APPLICATION_CREDENTIALS'];
  const real: RealModelSettings = {
    env: { ...variables, ...(isVertex(variables) && google ? { GOOGLE_APPLICATION_CREDENTIALS: google } : {}) },
    ...defined({ configuration }),
  };
  const recorder = new Recorder(writer, upstreams, { keepEmpty });
  const server = await startModelServer({
    answerer: recorder,
    real,
    ...{ clients, ...defined({ journal, key }) },
  });
  return { server, writer, recorder };
}

export interface ReplayServerOptions extends ReplayOptions {
  file: string;
  journal?: JournalOptions;
  /** What clients must send as their API key. By default a random one is made. */
  key?: string;
  /** What answers from `fromTurn` on: a script, or the real model. */
  scenario?: Scenario | undefined;
  goOn?: Answerer | undefined;
}

/** Starts a server that answers from a cassette. */
export async function startReplay(options: ReplayServerOptions): Promise<ModelServer> {
  const { file, scenario, goOn, journal, key, fromTurn, ...replay } = options;
  const cassette = CassetteFile.open(file);
  if (cassette.isCut && fromTurn === undefined) throw cut(file);
  const { header } = cassette;
  const variables = header.variables ?? {};
  const real: RealModelSettings = {
    env: { ...variables, ...(isVertex(variables) ? { CLAUDE_CODE_SKIP_VERTEX_AUTH: '1' } : {}) },
    ...defined({ configuration: header.opencode }),
  };
  const replayer = new Replayer(cassette, { ...replay, fromTurn });
  return startModelServer({
    answerer: goOn === undefined ? replayer : oneAfterOther(replayer, goOn),
    real,
    ...(scenario === undefined || fromTurn === undefined ? {} : { scenario }),
    ...defined({ clients: options.clients, journal, key }),
  });
}

/** The first that has an answer. */
function oneAfterOther(first: Answerer, second: Answerer): Answerer {
  return {
    answer: async (received) => (await first.answer(received)) ?? second.answer(received),
    usage: () => {
      const [one, other] = [first.usage(), second.usage()];
      return { unused: [...one.unused, ...other.unused], unmatched: [...one.unmatched, ...other.unmatched] };
    },
    close: async () => {
      await first.close?.();
      await second.close?.();
    },
  };
}

function modelVariables(environment: NodeJS.ProcessEnv, clients: readonly ServedClient[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      clients.some(({ modelVariables }) => modelVariables?.test(name)) && value !== undefined && value !== ''
        ? [[name, value]]
        : [],
    ),
  );
}

function isVertex(variables: Readonly<Record<string, string>>): boolean {
  return variables['CLAUDE_CODE_USE_VERTEX'] !== undefined;
}

function noKeys(): UnderstudyError {
  return new UnderstudyError('AGENT_NOT_AUTHENTICATED', 'there are no keys for a real model in the environment', {
    fix: 'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, then record again.',
  });
}

function cut(file: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_CUT', `${file} was cut: its recorder was killed`, {
    fix: 'Record it again; or look at what there is with `understudy cassette show`.',
  });
}
