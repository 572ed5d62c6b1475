import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArguments } from '../shared/flags.js';
import type { SessionStore } from '../shared/session-store.js';
import { Unsupported } from './refusal.js';
import { deleteSession, exportSession, listSessions } from './session-commands.js';
import { errorLine, type Streams } from './text-view.js';
import { modelNames } from './transcript.js';

const EXIT_FAILED = 1;

const COMMON = {
  help: { value: 'none', short: 'h' },
  version: { value: 'none', short: 'v' },
  'print-logs': { value: 'none' },
  'log-level': { value: 'one' },
  pure: { value: 'none' },
} as const;

export interface CommandPlace {
  sessions: SessionStore;
  cwd: string;
  env: NodeJS.ProcessEnv;
  version: string;
  /** The model that the scenario stands for. */
  model: () => Promise<string>;
  streams: Streams;
}

/** The commands that ask no model. Undefined: this is none of them. */
export async function tellingCommand(argv: readonly string[], place: CommandPlace): Promise<number | undefined> {
  const [command, ...rest] = argv;
  if (command === 'session') return session(rest, place);
  if (command === 'models') return await models(rest, place);
  if (command !== 'export') return undefined;
  const { flags, words } = parseArguments(rest, { flags: { ...COMMON, sanitize: { value: 'none' } } });
  if (flags.has('help')) return help('export [sessionID]', place);
  if (flags.has('sanitize')) throw new Unsupported('--sanitize');
  return exportSession(place.sessions, words[0], place.version, place.streams);
}

function session([command, ...rest]: readonly string[], place: CommandPlace): number {
  const { sessions, cwd, streams } = place;
  if (command === 'delete') {
    const { flags, words } = parseArguments(rest, { flags: COMMON });
    if (flags.has('help')) return help('session delete <sessionID>', place);
    const [id] = words;
    return id === undefined
      ? EXIT_FAILED + help('session delete <sessionID>', place)
      : deleteSession(sessions, id, streams);
  }
  if (command !== 'list') return (command === '--help' || command === '-h' ? 0 : EXIT_FAILED) + help('session', place);
  const { flags } = parseArguments(rest, {
    flags: { ...COMMON, 'max-count': { value: 'one', short: 'n' }, format: { value: 'one' } },
  });
  if (flags.has('help')) return help('session list', place);
  const format = String(flags.get('format') ?? 'table');
  if (!['table', 'json'].includes(format)) return EXIT_FAILED + help('session list', place);
  const limit = Number(flags.get('max-count') ?? Number.NaN);
  return listSessions(sessions, { cwd, format, limit: limit > 0 ? limit : Number.POSITIVE_INFINITY }, streams);
}

async function models(argv: readonly string[], place: CommandPlace): Promise<number> {
  const { flags, words } = parseArguments(argv, {
    flags: { ...COMMON, verbose: { value: 'none' }, refresh: { value: 'none' } },
  });
  if (flags.has('help')) return help('models [provider]', place);
  const other = ['verbose', 'refresh'].find((flag) => flags.has(flag));
  if (other !== undefined) throw new Unsupported(`--${other}`);
  refuseOwnProviders(place);
  const model = await place.model();
  const [provider] = words;
  if (provider === undefined || provider === modelNames(model)[0]) {
    place.streams.out(`${model}\n`);
    return 0;
  }
  place.streams.error(errorLine(`Provider not found: ${provider}`));
  return EXIT_FAILED;
}

/** Settings of the user or of the project can add models. */
function refuseOwnProviders({ cwd, env }: CommandPlace): void {
  const user = join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? cwd, '.config'), 'opencode');
  const file = [user, cwd]
    .flatMap((folder) => ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name)))
    .find((name) => existsSync(name));
  if (file !== undefined) throw new Unsupported(`\`models\` with the models that ${file} may add`);
}

function help(usage: string, { streams }: CommandPlace): 0 {
  streams.error(`opencode ${usage}\n\n(a stand-in that plays a scenario)\n`);
  return 0;
}
