import { join, resolve } from 'node:path';
import { joinMessage, pinnedVersions, UnknownFlag } from '@understudy/agents';
import { describeError } from '@understudy/kit';
import { describeUnanswered, unquoted } from '@understudy/script';
import { findScenario } from '../shared/find-scenario.js';
import type { Stdin } from '../shared/own-stdin.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { EXIT_HARNESS_ERROR, NotSupported, refuse } from '../shared/refusal.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import { reportFailure, unansweredReport } from './failures.js';
import { newId, newReference } from './ids.js';
import { JsonView } from './json-view.js';
import { helpPage, parseRunOptions, RefusedOption, type RunOptions } from './options.js';
import { REFUSED } from './refused.js';
import { refuseSettings, worktreeOf } from './settings.js';
import { errorLine, type Streams, TextView } from './text-view.js';
import { toolsFor } from './tools.js';

const DEFAULT_MODEL = 'understudy/scripted';

const EXIT_FAILED = 1;

export interface OpencodeProcess {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: Stdin;
  streams: Streams;
}

/** `opencode`: plays a scenario as `opencode run` would, and gives the exit code. */
export async function opencode(process: OpencodeProcess): Promise<number> {
  const { argv, streams } = process;
  const [command, ...rest] = argv;
  try {
    switch (command) {
      case '--version':
      case '-v':
        streams.out(`${pinnedVersions.opencode}\n`);
        return 0;
      case undefined:
        streams.error(helpPage());
        return EXIT_FAILED;
      case 'run': {
        const options = parseRunOptions(rest);
        if (!options.help) return await run(options, process);
        streams.error(helpPage());
        return 0;
      }
      default:
        throw new NotSupported(`${REFUSED.command} ${command}`);
    }
  } catch (error) {
    if (error instanceof NotSupported) return refuse('opencode', error, (text) => streams.error(text));
    if (error instanceof UnknownFlag)
      streams.error(`${helpPage()}\nUnknown argument: ${error.flag.replace(/^-+/, '')}\n`);
    else if (error instanceof RefusedOption) streams.error(`${helpPage()}\n${error.message}\n`);
    else {
      streams.error(`${describeError(error)}\n`);
      return EXIT_HARNESS_ERROR;
    }
    return EXIT_FAILED;
  }
}

async function run(options: RunOptions, process: OpencodeProcess): Promise<number> {
  const { argv, env, cwd: here, stdin, streams } = process;
  if (options.refused !== undefined) throw new NotSupported(options.refused);
  const scenario = await findScenario(env, here);
  const cwd = resolve(here, options.dir ?? '.');
  refuseSettings(cwd, env);
  const fail = (message: string): number => {
    streams.error(errorLine(message));
    return EXIT_FAILED;
  };
  const piped = stdin.read();
  if (joinMessage(options.message, piped).trim() === '') return fail('You must provide a message or a command');
  const sessions = new SessionStore(
    join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? here, '.local/share'), 'opencode/understudy'),
  );
  const session = findSession(options, sessions, cwd);
  if (session === undefined) return fail('Session not found');
  const root = worktreeOf(cwd);
  const { thinking } = options;
  const json = new JsonView({ session: session.id, thinking, cwd, root }, (line) => streams.out(`${line}\n`));
  if (options.model?.includes('/') === false) {
    const data = { message: 'Unexpected server error. Check server logs for details.', ref: newReference() };
    if (options.format !== 'json') return fail(JSON.stringify({ name: 'UnknownError', data }, null, 2));
    json.onError('UnknownError', data);
    return EXIT_FAILED;
  }
  const model = options.model ?? scenario.document.default_model ?? DEFAULT_MODEL;
  const shortModel = model.slice(model.indexOf('/') + 1);
  const view = options.format === 'json' ? json : new TextView(streams, { model: shortModel, thinking, cwd });
  const turn = await playPrompt({
    ...{ scenario, argv, env, cwd, session, sessions, view },
    tools: toolsFor(cwd),
    // As a rule sees it on the stage `scripted`, too.
    prompt: { text: unquoted(joinMessage(options.quoted, piped).trim()), model: shortModel, cwd },
    liveTools: async () => {
      const { opencodeLiveTools } = await import('./live-tools.js');
      return opencodeLiveTools(cwd, options.approvesAll);
    },
  });
  return conclude(turn, view);
}

function findSession(
  { session, continue: goOn }: RunOptions,
  sessions: SessionStore,
  cwd: string,
): Omit<SavedSession, 'play' | 'updated'> | undefined {
  if (session !== undefined) return sessions.find(session);
  return (goOn ? sessions.latest(cwd) : undefined) ?? { id: newId('ses'), cwd };
}

function conclude({ end }: PlayedTurn, view: JsonView | TextView): number {
  if (end.kind !== 'failed' && end.kind !== 'unanswered') return 0;
  const report =
    end.kind === 'failed' ? reportFailure(end.failure) : unansweredReport(describeUnanswered(end.unanswered));
  if (report.kind === 'cut_off') {
    view.onCutOff();
    return 0;
  }
  for (let start = 0; start < (report.starts ?? 0); start++) view.onStepStart();
  for (let time = 0; time < (report.times ?? 1); time++) view.onError(report.name, report.data);
  return EXIT_FAILED;
}
