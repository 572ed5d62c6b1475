import { join } from 'node:path';
import { type AgentName, findAgent, parseAgentSpec, startRecording, startReplay } from '@understudy/agents';
import { defined, UnderstudyError } from '@understudy/kit';
import {
  CassetteWriter,
  type JournalOptions,
  type ModelServer,
  Recorder,
  type Recording,
  Upstreams,
} from '@understudy/model';
import { loadScenario, type Scenario } from '@understudy/script';
import type { ConversationOptions } from './options.js';

/** Writes down what was seen beside the wire. */
export type Witness = Pick<CassetteWriter, 'seen' | 'files'>;

interface Around {
  scratch: string;
  home: string;
  cwd: string;
  journal: JournalOptions;
}

/** A server between the CLI and its real model, which writes the cassette. */
export async function openRecording(
  name: AgentName,
  options: ConversationOptions,
  { home, cwd, journal }: Around,
): Promise<Recording> {
  const { agent, version: wanted } = parseAgentSpec(options.agent ?? name);
  const { version: found } = await findAgent(wanted === undefined ? agent : `${agent}@${wanted}`);
  return startRecording({
    file: cassetteOf(options),
    header: { agents: [{ agent, version: found }], ...defined({ setting: options.setting }) },
    ...{ folders: { cwd, home }, journal },
  });
}

/** A server that plays the cassette; from `fromTurn` on, the scenario or the real model answers. */
export async function openReplay(
  options: ConversationOptions,
  { home, cwd, journal, scratch }: Around,
): Promise<ModelServer> {
  const { speed, fromTurn, record, artifacts, scenario } = options;
  const goesOnLive = fromTurn !== undefined && record === true;
  const rest = join(artifacts ?? scratch, 'fork.cassette.jsonl');
  const header = { agents: [] };
  return startReplay({
    ...{ file: cassetteOf(options), folders: { cwd, home }, journal },
    ...defined({ speed, fromTurn }),
    ...(goesOnLive
      ? {
          goOn: new Recorder(
            new CassetteWriter({ file: rest, header, folders: { cwd, home } }),
            Upstreams.of(process.env),
          ),
        }
      : {}),
    ...(fromTurn === undefined || goesOnLive ? {} : { scenario: scripted(scenario) }),
  });
}

function scripted(scenario: ConversationOptions['scenario']): Scenario | undefined {
  if (scenario === undefined) return undefined;
  if (typeof scenario === 'string') return loadScenario(scenario);
  return 'document' in scenario ? scenario : { document: scenario, warnings: [] };
}

function cassetteOf({ cassette }: ConversationOptions): string {
  if (cassette !== undefined) return cassette;
  throw new UnderstudyError('CASSETTE_MISSING', 'the conversation has no cassette', {
    fix: 'Give `cassette`: the file that was recorded, or that is to be written.',
  });
}
