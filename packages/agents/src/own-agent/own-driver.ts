import { isStringList } from '@understudy/kit';
import type { ServedClient } from '@understudy/model';
import type { AgentDriver } from '../driver.js';
import { settleModelAccess } from '../model-access.js';
import { type PerTurnCli, PerTurnSession } from '../per-turn-session.js';
import type { OwnAgent } from './definition.js';
import { nonsense, type OwnCode } from './own-code.js';
import { asReader, ownReader } from './own-reader.js';

/** How a user's agent is started and read: one process per turn. */
export function ownDriver(agent: OwnAgent, client: ServedClient, own: OwnCode): AgentDriver {
  const { name: title, reports = [], stdin } = agent;
  const readerOf = (words: readonly string[]) => own.call('reader', () => agent.reader(words), asReader);
  const cli: PerTurnCli = {
    title,
    access: (options) => settleModelAccess(client, options),
    reports,
    variables: {},
    arguments: (prompt, session, { modelName: model, args = [] }) =>
      own.call(
        'arguments',
        () => agent.arguments({ prompt, session, model, args }),
        (given) => wordsWith(args, model, given),
      ),
    reader: (_, words) =>
      ownReader(
        own.call('reader', () => agent.reader(words), readerOfTurn),
        own,
      ),
    ...(stdin === undefined ? {} : { input: (prompt) => own.call('stdin', () => stdin(prompt), asText) }),
  };
  return {
    readCall(words) {
      own.throwIfFailed();
      const reader = readerOf(words);
      return reader && { reader: ownReader(reader, own), reports };
    },
    start: async (options) => new PerTurnSession(cli, options),
  };
}

function wordsWith(args: readonly string[], model: string | undefined, given: unknown): string[] {
  if (!isStringList(given)) throw nonsense(given, 'a list of words');
  const missing = args.find((word) => !given.includes(word));
  if (missing !== undefined) throw new Error(`it left out "${missing}", which is one of \`args\``);
  if (model === undefined || given.some((word) => word.includes(model))) return given;
  throw new Error(`it left out the model "${model}", which the test asks for`);
}

function readerOfTurn(given: unknown) {
  const reader = asReader(given);
  if (reader === undefined) throw nonsense(given, 'a reader for the words that arguments() gave');
  return reader;
}

export function asText(given: unknown): string {
  if (typeof given === 'string') return given;
  throw nonsense(given, 'a text');
}
