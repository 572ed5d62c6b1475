import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Stage } from '@understudy/agents';
import { defined, ownCommand, REHEARSAL_ENDING, shellWord } from '@understudy/kit';
import { builtInWorkflows } from '@understudy/stage';
import type { Entry } from '../run/entry.js';
import { type CassetteOptions, cassetteOf, stageWithCassette } from './cassette.js';
import { fromRehearsal, loadRehearsal, type Rehearsal } from './load.js';
import { type BrokenRehearsal, isBroken } from './load-files.js';
import { PluginLooks } from './plugin-looks.js';
import { rehearse } from './rehearse.js';
import { hasTerminalProgram, sendStepsOf } from './schema.js';
import type { SnapshotOptions } from './snapshot.js';

/** What holds for rehearsals that do not say it themselves. */
export interface EntryDefaults {
  agents?: readonly string[] | undefined;
  stage?: Stage | undefined;
}

export interface EntryOptions {
  defaults?: EntryDefaults | undefined;
  /** Instead of what the rehearsals say. */
  agents?: readonly string[] | undefined;
  stage?: Stage | undefined;
  isolation?: string | undefined;
  /** Write snapshots anew. */
  updateSnapshots?: boolean | undefined;
  /** Never write a snapshot. By default so where `CI` is `true`. */
  ci?: boolean | undefined;
  cassettes?: CassetteOptions | undefined;
}

/** Rehearsals as entries of a run: each on each of its agents. One that cannot be loaded is an entry in error. */
export function rehearsalEntries(
  rehearsals: readonly (Rehearsal | BrokenRehearsal)[],
  options: EntryOptions = {},
): Entry[] {
  const pluginLooks = new PluginLooks();
  return rehearsals.flatMap((rehearsal) => {
    if (isBroken(rehearsal)) return [brokenEntry(rehearsal, options)];
    const { document } = rehearsal;
    const stage = options.stage ?? document.stage ?? options.defaults?.stage ?? 'scripted';
    const { updateSnapshots: update = false, ci = process.env['CI'] === 'true', isolation } = options;
    const more = { snapshots: { update, ci }, pluginLooks, isolation, cassettes: options.cassettes ?? {} };
    const agents = options.agents ?? [document.agent ?? options.defaults?.agents ?? 'claude'].flat();
    if (sendStepsOf(document).length > 0) return agents.map((agent) => rehearsalEntry(rehearsal, agent, stage, more));
    // A program has all its agents at once.
    const placed = options.agents ?? document.agents ?? agents;
    return [rehearsalEntry(rehearsal, placed.join('+'), stage, { ...more, agents: placed })];
  });
}

interface MoreOptions {
  snapshots: SnapshotOptions;
  pluginLooks: PluginLooks;
  isolation: string | undefined;
  cassettes: CassetteOptions;
  agents?: readonly string[];
}

function rehearsalEntry(
  rehearsal: Rehearsal,
  agent: string,
  wanted: Stage,
  { snapshots, pluginLooks, agents, isolation, cassettes }: MoreOptions,
): Entry {
  const { file, name, document } = rehearsal;
  // No closure may name the rehearsal itself: of ten thousand, those that have been played are let go.
  const held: { rehearsal?: Rehearsal | undefined } = { rehearsal };
  const cassette = cassetteOf(rehearsal, agents ?? [agent]);
  const skipped = document.skip?.[wanted];
  const stage = skipped === undefined ? stageWithCassette(wanted, cassette, cassettes, snapshots.ci) : wanted;
  const skipReason = document.skip?.[stage] ?? (needsScreen(document, stage) ? NO_SCREEN : undefined);
  return {
    id: entryId(file, agent, stage),
    kind: 'rehearsal',
    ...{ name, file, agent, stage, round: 1 },
    tags: document.tags ?? [],
    rerun: [
      `${ownCommand()} run`,
      shellWord(file),
      ...(agents ?? [agent]).map((name) => `--agent ${name}`),
      `--stage ${stage}`,
      ...(isolation === undefined ? [] : [`--isolation ${isolation}`]),
    ].join(' '),
    folderName: folderNameOf(file, agent, stage),
    parts: partsOf(rehearsal),
    isolation: { asked: isolation },
    calls: callsOf(document),
    mayMiss: true,
    skipReason: async () => skipReason,
    play: ({ folder, signal, output, onStep }) =>
      rehearse(held.rehearsal ?? loadRehearsal(file), {
        ...{ agent, agents, stage, folder, signal, onStep, pluginLooks, isolation },
        ...defined({ output }),
        cassette: { file: cassette, ...cassettes },
        snapshots,
      }),
    done: () => {
      held.rehearsal = undefined;
    },
  };
}

/** It runs on nothing, so its id is its file alone. */
function brokenEntry({ file, error, name = file, tags = [], ...head }: BrokenRehearsal, options: EntryOptions): Entry {
  const agent = [options.agents ?? head.agent ?? options.defaults?.agents ?? 'claude'].flat().join('+');
  const stage = options.stage ?? head.stage ?? options.defaults?.stage ?? 'scripted';
  const fail = async () => {
    throw error;
  };
  return {
    id: relative('.', resolve(file)),
    kind: 'rehearsal',
    ...{ name, file, tags, agent, stage, round: 1 },
    rerun: `${ownCommand()} run ${shellWord(file)}`,
    folderName: folderNameOf(file, agent, stage),
    parts: [resolve(file)],
    broken: error,
    skipReason: fail,
    play: fail,
  };
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
export function entryId(file: string, agent: string, stage: string): string {
  return `${relative('.', resolve(file))} ${agent} ${stage}`;
}

/** Two rehearsals of one name in different folders must not share a folder: so the path is in it. */
function folderNameOf(file: string, agent: string, stage: string): string {
  const folder = relative('.', dirname(resolve(file)));
  const path = join(folder, basename(file, REHEARSAL_ENDING)).replace(/[\\/]+/g, '-');
  return `${path}.${agent}.${stage}`.replace(/^[.-]+/, '').replace(/[^\w.@-]/g, '-');
}

/** The files and folders that a rehearsal is made of. A file that cannot be loaded now is watched: it will be mended. */
export function partsOfRehearsal(file: string): string[] {
  try {
    return partsOf(loadRehearsal(file));
  } catch {
    return [resolve(file)];
  }
}

function partsOf(rehearsal: Rehearsal): string[] {
  const { scenario, plugins = [], workflow, project } = rehearsal.document;
  const own = workflow === undefined || Object.hasOwn(builtInWorkflows, workflow) ? [] : [workflow];
  const named = [
    ...(scenario === undefined ? [] : [scenario]),
    ...plugins,
    ...own,
    ...(project?.path === undefined ? [] : [project.path]),
  ];
  return [resolve(rehearsal.file), ...named.map((path) => fromRehearsal(rehearsal, path))];
}
