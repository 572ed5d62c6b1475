import { mkdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import {
  compareVersions,
  findAgent,
  loginKeys,
  type ModelAccess,
  parseAgentSpec,
  prepareClaude,
  type Stage,
} from '@understudy/agents';
import {
  createTempFolder,
  defined,
  ownCommand,
  runToEnd,
  shellWord,
  UnderstudyError,
  UntrustedFolder,
} from '@understudy/kit';
import { CASSETTE_ENDING, type Folders, hasCassette } from '@understudy/model';
import {
  type Entry,
  markOf,
  type Place,
  type Places,
  type PlayContext,
  type Played,
  type Player,
  placesOf,
  rateWithout,
  rerunFlags,
  withoutModels,
} from '@understudy/runner';
import { openStage } from '@understudy/stage';
import { checkScript } from '@understudy/verdict';
import * as z from 'zod/mini';
import { liveChecks, readArms, scriptedChecks } from './eval-result.js';
import type { EvalCase } from './find-evals.js';

/** The first version with `claude plugin eval`. */
const FIRST_VERSION = '2.1.269';
const DEADLINE_MS = 30 * 60_000;

export interface EvalOptions extends Omit<Places, 'models'> {
  /** On live: write cassettes. On replay: write those that are missing, with the real model; never under CI. */
  record?: boolean | undefined;
  speed?: number | undefined;
}

/** How the player of evals plays an entry: the case, and its recording. */
const playSchema = z.object({
  plugin: z.string(),
  name: z.string(),
  folder: z.string(),
  file: z.string(),
  cassette: z.string(),
  record: z.optional(z.boolean()),
  speed: z.optional(z.number()),
});

interface EvalPlay extends z.infer<typeof playSchema> {
  stage: Stage;
}

/** Eval cases as entries of a run: each on each version of Claude Code. */
export function evalEntries(cases: readonly EvalCase[], { record, speed, ...options }: EvalOptions): Entry[] {
  const own = { agents: ['claude'], isNamed: true, stage: 'scripted', tags: ['eval'], atOnce: false } as const;
  return cases.flatMap((test) =>
    placesOf(own, { ...options, ...withoutModels(options) }).map((place) => {
      const {
        stage,
        agents: [agent = 'claude'],
      } = place;
      const cassette = cassetteOf(test, agent);
      const isMissing = stage === 'replay' && record === true && process.env['CI'] !== 'true' && !hasCassette(cassette);
      const play = { ...test, ...defined({ cassette, record, speed }) };
      return evalEntry(play, { ...place, stage: isMissing ? 'live' : stage });
    }),
  );
}

/** Beside the case, as the cassettes of rehearsals are. */
function cassetteOf({ folder }: EvalCase, agent: string): string {
  const name = `${basename(folder)}.${parseAgentSpec(agent).agent}${CASSETTE_ENDING}`;
  return join(dirname(resolve(folder)), 'cassettes', name);
}

function evalEntry(play: z.infer<typeof playSchema>, place: Place): Entry {
  const {
    agents: [agent = 'claude'],
    stage,
    isolation = 'none',
    target,
  } = place;
  const file = relative('.', resolve(play.file));
  return {
    id: `${file} ${agent} ${stage}${markOf(place)}`,
    kind: 'rehearsal',
    ...{ name: play.name, file, agent, stage, round: 1 },
    ...defined({ target }),
    tags: ['eval'],
    rerun: [
      `${ownCommand()} run ${shellWord(play.plugin)} --grep ${shellWord(play.name)} --agent ${agent} --stage ${stage}`,
      ...rerunFlags(place),
    ].join(' '),
    folderName: `${file.replace(/[\\/]+/g, '-')}.${agent}.${stage}${markOf(place)}`.replace(/[^\w.@-]/g, '-'),
    parts: [resolve(play.plugin)],
    // One run with the plugin and one without it. Graders that ask a model come on top.
    calls: { expected: 2, most: 4 },
    mayMiss: true,
    isolation: { requested: 'none', reason: 'evals are not played in isolation' },
    ...defined({ skip: skipOf(agent, stage, isolation) }),
    ...{ player: 'eval', options: play },
  };
}

function skipOf(agent: string, stage: Stage, isolation: string): string | undefined {
  if (parseAgentSpec(agent).agent !== 'claude') return 'it is a case of `claude plugin eval`';
  if (stage === 'sim') return `\`claude plugin eval\` is not on the stage ${stage}`;
  return isolation === 'none' ? undefined : 'evals are not played in isolation';
}

/** Plays eval cases of plugins. */
export const evalPlayer: Player = {
  async skipReason({ agent }) {
    const { version } = await findAgent(agent);
    return compareVersions(version, FIRST_VERSION) < 0 ? `Claude Code has evals since ${FIRST_VERSION}` : undefined;
  },
  play: ({ agent, stage, options }, context) =>
    playEval(agent, { ...playSchema.parse(options), stage: stage as Stage }, context),
};

async function playEval(agent: string, test: EvalPlay, { folder, signal, output }: PlayContext): Promise<Played> {
  const { stage } = test;
  const { command } = await findAgent(agent);
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const result = join(folder, 'result.json');
  const temp = createTempFolder();
  const model = await modelFor(test, agent, { cwd: folder, home });
  try {
    const flags = ['--trust-plugin', '--no-publish', '--runs', '1', '--case', test.name];
    const outcome = await runToEnd({
      command: [...command, 'plugin', 'eval', resolve(test.plugin), ...flags, '--json', result, '--output-dir', folder],
      cwd: folder,
      env: prepareClaude({ home, cwd: folder, model: model.access() }, temp.path),
      deadlineMs: DEADLINE_MS,
      interrupted: signal,
      ...defined({ output }),
    });
    const complaint = complaintAbout(test, `${outcome.stdout}\n${outcome.stderr}`);
    const arms = readArms(readResult(result, complaint), test);
    if (stage === 'scripted') return { steps: [], checks: scriptedChecks(arms, complaint) };
    const usage = stage === 'replay' ? model.usage() : undefined;
    const replayed = usage === undefined ? [] : checkScript(usage, {}, 'cassette');
    // What the graders say of other answers than the recorded ones says nothing.
    if (replayed.some(({ status }) => status === 'failed')) return { steps: [], checks: replayed };
    if (arms === undefined) throw new UnderstudyError('EVAL_NOT_RUN', `the case does not load: ${complaint}`);
    const cost = [arms.with, arms.without].reduce(
      (sum, run) => sum + (run?.costUsd ?? 0) + (run?.judgeCostUsd ?? 0),
      0,
    );
    const calls = [arms.with, arms.without].reduce((sum, run) => sum + (run?.turns ?? 0), 0);
    const { without } = arms;
    return {
      ...{ steps: [], checks: [...liveChecks(arms), ...replayed], usage: { calls, cost_usd: cost } },
      ...(without === undefined ? {} : { without: rateWithout('the plugin', without.passed ? 1 : 0, 1) }),
    };
  } finally {
    await model.close();
    await temp.remove();
  }
}

async function modelFor({ stage, cassette, record, speed }: EvalPlay, agent: string, folders: Folders) {
  if (stage === 'replay' && !hasCassette(cassette)) throw missing(cassette);
  const opened = await openStage(stage, {
    ...{ agents: [agent], folders, cassette: { file: cassette, record, speed } },
    scenario: { default_response: 'Done.' },
  });
  const access =
    opened.server === undefined ? liveAccess : () => opened.access('claude', stage === 'scripted' ? 0 : undefined);
  return { ...opened, access };
}

function liveAccess(): ModelAccess {
  const environment = loginKeys('claude', process.env);
  if (Object.keys(environment).length > 0) return { kind: 'live', environment };
  throw new UnderstudyError('AGENT_NOT_AUTHENTICATED', 'the environment has no credentials for claude');
}

function missing(file: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_MISSING', `there is no cassette ${file}`, {
    fix: 'Record it with `understudy run --stage live --record`, and commit it.',
  });
}

function readResult(file: string, complaint: string): unknown {
  try {
    return JSON.parse(new UntrustedFolder(dirname(file)).text(basename(file)) ?? '');
  } catch (cause) {
    // Nothing of the suite could be loaded: then there is no result.
    if (complaint !== '') return { cases: [] };
    throw new UnderstudyError('EVAL_UNREADABLE', '`claude plugin eval` has written no result', { cause });
  }
}

/** What the CLI says is wrong with the file of the case. */
function complaintAbout({ folder }: Pick<EvalCase, 'folder'>, text: string): string {
  const line = text.split('\n').find((one) => one.startsWith('✗') && one.includes(`${resolve(folder)}/`));
  return line === undefined
    ? ''
    : line
        .replace(/^✗\s*/, '')
        .replaceAll(`${resolve(folder)}/`, '')
        .trim();
}
