import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Stage } from '@understudy/agents';
import { configFlag, defined, filesOfPart, ownCommand, REHEARSAL_ENDING, readSource, shellWord } from '@understudy/kit';
import { builtInWorkflows } from '@understudy/stage';
import type { CheckResult } from '@understudy/verdict';
import * as z from 'zod/mini';
import type { Entry } from '../run/entry.js';
import { type CassetteOptions, cassetteOf, stageWithCassette } from './cassette.js';
import { importedFiles } from './imported-files.js';
import { fromRehearsal, loadRows, type Rehearsal } from './load.js';
import { type BrokenRehearsal, isBroken } from './load-files.js';
import { checkLocator } from './locate-checks.js';
import { rowPart } from './rows/row-part.js';
import { hasTerminalProgram, isRunStep, sendStepsOf } from './schema.js';
import { type Place, type Places, placesOf } from './targets.js';

/** What holds for rehearsals that do not say it themselves. */
export interface EntryDefaults {
  agents?: readonly string[] | undefined;
  stage?: Stage | undefined;
  model?: string | undefined;
  timeout_ms?: number | undefined;
}

/** The agents, the stage and the model go before what the rehearsals say. */
export interface EntryOptions extends Places {
  defaults?: EntryDefaults | undefined;
  /** Milliseconds for each step, where neither it nor its rehearsal says it. */
  timeoutMs?: number | undefined;
  /** Write snapshots anew. */
  updateSnapshots?: boolean | undefined;
  /** Never write a snapshot. By default so where `CI` is `true`. */
  ci?: boolean | undefined;
  cassettes?: CassetteOptions | undefined;
}

/** How the player of rehearsals plays an entry. */
export const playOptionsSchema = z.object({
  /** The agents in place for a program: all of them at once. */
  agents: z.optional(z.array(z.string())),
  /** What may become of snapshots. */
  update: z.boolean(),
  ci: z.boolean(),
  /** Milliseconds for each step that does not say it itself. */
  timeoutMs: z.optional(z.number()),
  /** What is done with its cassette. */
  record: z.optional(z.boolean()),
  speed: z.optional(z.number()),
  fromTurn: z.optional(z.number()),
  /** What the module of the rehearsal exported. */
  document: z.optional(z.unknown()),
  /** The name of its row. */
  row: z.optional(z.string()),
  /** The variables of its target. */
  env: z.optional(z.record(z.string(), z.string())),
});

type PlayOptions = z.infer<typeof playOptionsSchema>;

/** Rehearsals as entries of a run: each in each of its places. One that cannot be loaded is an entry in error. */
export function rehearsalEntries(
  rehearsals: readonly (Rehearsal | BrokenRehearsal)[],
  options: EntryOptions = {},
): Entry[] {
  return rehearsals.flatMap((rehearsal) => {
    if (isBroken(rehearsal)) return [brokenEntry(rehearsal, options)];
    const { document } = rehearsal;
    const { updateSnapshots: update = false, ci = process.env['CI'] === 'true', defaults = {} } = options;
    const play = {
      update,
      ci,
      ...defined({ ...options.cassettes, document: rehearsal.exported, row: rehearsal.row?.name }),
      ...defined({ timeoutMs: document.timeout_ms ?? options.timeoutMs ?? options.defaults?.timeout_ms }),
    };
    // A program has all its agents at once.
    const atOnce = sendStepsOf(document).length === 0;
    const named = (atOnce ? document.agents : undefined) ?? document.agent;
    const own = {
      ...{ agents: [named ?? defaults.agents ?? 'claude'].flat(), isNamed: named !== undefined, atOnce },
      ...{ stage: document.stage ?? defaults.stage ?? 'scripted', tags: document.tags ?? [] },
    };
    return placesOf(own, options).map((place) =>
      rehearsalEntry(
        rehearsal,
        place,
        atOnce ? { ...play, agents: [...place.agents] } : play,
        atOnce ? undefined : (document.model ?? defaults.model),
      ),
    );
  });
}

function rehearsalEntry(rehearsal: Rehearsal, place: Place, play: PlayOptions, usual: string | undefined): Entry {
  const { file, name, document, row } = rehearsal;
  const { agents, stage: wanted, model = usual, isolation, env, target } = place;
  const agent = agents.join('+');
  const skipped = document.skip?.[wanted];
  const cassette = cassetteOf(rehearsal, agents);
  const stage = skipped === undefined ? stageWithCassette(wanted, cassette, play, play.ci) : wanted;
  const skip = document.skip?.[stage] ?? (needsScreen(document, stage) ? NO_SCREEN : undefined);
  return {
    id: entryId(file, agent, stage, row?.name) + markOf(place),
    kind: 'rehearsal',
    ...{ name, file, agent, stage, round: 1 },
    ...defined({ target }),
    tags: document.tags ?? [],
    rerun: [
      `${ownCommand()} run`,
      shellWord(file),
      ...(row === undefined ? [] : [`--grep ${shellWord(`[${row.name}]`)}`]),
      ...agents.map((name) => `--agent ${name}`),
      `--stage ${stage}`,
      ...rerunFlags(place),
      ...(isolation === undefined ? [] : [`--isolation ${isolation}`]),
    ].join(' '),
    folderName: entryFolderName(file, agent, stage, row?.name) + markOf(place).replace(/[^\w.@-]/g, '.'),
    parts: [...partsOf(rehearsal), ...(stage === 'replay' && skip === undefined ? [resolve(cassette)] : [])],
    isolation: { requested: isolation },
    calls: callsOf(document),
    mayMiss: true,
    ...(document.steps.some(isRunStep) ? { runsProgram: true as const } : {}),
    ...defined({ model, skip, retries: document.retries, expectedFailure: expectedFailureOf(rehearsal) }),
    ...{ player: 'rehearsal', options: { ...play, ...defined({ env }) } },
  };
}

function expectedFailureOf(rehearsal: Rehearsal): Entry['expectedFailure'] {
  const { expected_failure: reason = false } = rehearsal.document;
  if (reason === false) return undefined;
  const check: CheckResult = {
    ...{ name: 'expected failure', category: 'outcome', subject: { kind: 'condition' }, status: 'failed' },
    ...{ expected: `it fails: ${reason}`, actual: 'it passes now', evidence: [] },
    suggestion: 'Remove `expected_failure`.',
  };
  const [passesNow = check] = checkLocator(rehearsal)(['expected_failure'], [check]);
  return { reason, passesNow };
}

/** It runs on nothing, so its id is its file alone. */
function brokenEntry({ file, error, name = file, tags = [], ...head }: BrokenRehearsal, options: EntryOptions): Entry {
  const agent = [options.agents ?? head.agent ?? options.defaults?.agents ?? 'claude'].flat().join('+');
  const stage = options.stage ?? head.stage ?? options.defaults?.stage ?? 'scripted';
  return {
    id: relative('.', resolve(file)),
    kind: 'rehearsal',
    ...{ name, file, tags, agent, stage, round: 1 },
    rerun: `${ownCommand()} run ${shellWord(file)}`,
    folderName: entryFolderName(file, agent, stage),
    parts: [resolve(file), ...importedFiles(file)],
    broken: error,
    player: 'rehearsal',
  };
}

/** What tells places of one agent and one stage apart. */
export function markOf({ model, target }: Pick<Place, 'model' | 'target'>): string {
  return [model, target].map((mark) => (mark === undefined ? '' : ` ${mark}`)).join('');
}

/** The flags that choose the model and the target of a place again. */
export function rerunFlags({ model, target }: Pick<Place, 'model' | 'target'>): string[] {
  return [
    ...(target === undefined ? [] : [`--target ${target}`]),
    ...(model === undefined ? [] : [`--model ${shellWord(model)}`]),
    ...configFlag(),
  ];
}

/** One call for each prompt; a program may call its agents as often as it likes. */
function callsOf({ steps }: Rehearsal['document']): NonNullable<Entry['calls']> {
  return { expected: steps.length, most: steps.length };
}

const NO_SCREEN = 'it is about a terminal, and the stand-ins have no screen';

function needsScreen(document: Rehearsal['document'], stage: Stage): boolean {
  return document.terminal !== undefined && stage === 'sim' && !hasTerminalProgram(document);
}

/** What names an entry from one run to the next, however its path was written. */
export function entryId(file: string, agent: string, stage: string, row?: string): string {
  return `${relative('.', resolve(file))}${row === undefined ? '' : ` [${row}]`} ${agent} ${stage}`;
}

/** Two rehearsals of one name in different folders must not share a folder: so the path is in it. */
export function entryFolderName(file: string, agent: string, stage: string, row?: string): string {
  const folder = relative('.', dirname(resolve(file)));
  const path = join(folder, basename(file, REHEARSAL_ENDING) + rowPart(row)).replace(/[\\/]+/g, '-');
  return `${path}.${agent}.${stage}`.replace(/^[.-]+/, '').replace(/[^\w.@-]/g, '-');
}

/** The files and folders that a rehearsal is made of. A file that cannot be loaded now is watched: it will be mended. */
export function partsOfRehearsal(file: string): string[] {
  try {
    return loadRows(file).slice(0, 1).flatMap(partsOf);
  } catch {
    return [resolve(file), ...importedFiles(file), ...modulesNamedIn(file)];
  }
}

/** A module with checks may be what is broken. */
function modulesNamedIn(file: string): string[] {
  try {
    const { checks } = z.parse(z.object({ checks: z.record(z.string(), z.string()) }), readSource(file).value);
    return Object.values(checks).flatMap((module) => filesOfPart(fromRehearsal({ file }, module)));
  } catch {
    return [];
  }
}

function partsOf(rehearsal: Rehearsal): string[] {
  const { scenario, plugins = [], settings, managed_settings, workflow, project, checks = {} } = rehearsal.document;
  const own = workflow === undefined || Object.hasOwn(builtInWorkflows, workflow) ? [] : [workflow];
  const named = [
    ...(scenario === undefined ? [] : [scenario]),
    ...plugins,
    ...[settings, managed_settings].filter((given) => typeof given === 'string'),
    ...own,
    ...(project?.path === undefined ? [] : [project.path]),
  ];
  const modules = Object.values(checks).flatMap((module) => filesOfPart(fromRehearsal(rehearsal, module)));
  return [
    resolve(rehearsal.file),
    ...named.map((path) => fromRehearsal(rehearsal, path)),
    ...modules,
    ...(rehearsal.bases ?? []).flatMap(({ file }) => (file === undefined ? [] : [resolve(file)])),
    ...(rehearsal.row?.file === undefined ? [] : [fromRehearsal(rehearsal, rehearsal.row.file)]),
    ...importedFiles(rehearsal.file),
  ];
}
