import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { parseAgentSpec, type Stage } from '@understudy/agents';
import {
  asUnderstudyError,
  defined,
  filesOfPart,
  isInside,
  ownCommand,
  readSource,
  readText,
  shellWord,
  UnderstudyError,
} from '@understudy/kit';
import {
  type Entry,
  type EntryOptions,
  entryFolderName,
  entryId,
  findFiles,
  markOf,
  type Player,
  placesOf,
  rerunFlags,
  withoutModels,
} from '@understudy/runner';
import { type EntryStage, entryStages, type LoadedSuite, type SuiteEntry, type SuiteFile } from './define.js';
import { endingOf, loadSuite, readEntries } from './load-suite.js';
import { moduleOf, type OpenTools, playSuiteEntry } from './play.js';

export const SUITE_PLAYER = 'suite';

interface Known<Tools> {
  /** As a person would write it. */
  module: string;
  suite?: LoadedSuite<Tools> | undefined;
  broken?: UnderstudyError | undefined;
}

/** The suites that a project names, read when this is made. One that is broken is an entry in error. */
export class OwnSuites<Tools> {
  readonly #known: readonly Known<Tools>[];

  constructor(modules: readonly string[]) {
    this.#known = [...new Set(modules.map((module) => resolve(module)))].map((path) => {
      const module = asShown(path);
      try {
        return { module, suite: loadSuite<Tools>(module) };
      } catch (error) {
        return { module, broken: asUnderstudyError(error) };
      }
    });
  }

  /** Whether a path is a file of one of them. */
  hasFile(path: string): boolean {
    return this.#known.some(({ suite }) => isFileOf(suite, path));
  }

  /** Whether a path that was named is a file of one of them, or the module of one. */
  takes(path: string): boolean {
    return this.hasFile(path) || this.#known.some(({ module }) => isSame(module, path));
  }

  /** What can be run again, with what it is made of: files of suites behind the paths, suites that list their entries. */
  parts(paths: readonly string[]): Map<string, string[]> {
    return new Map(this.#places(paths).map(({ file, module }) => [file, partsOf(module, file)]));
  }

  /**
   * The entries behind the paths: in files of suites, or in suites whose module is there. The module of a suite that has
   * files stands for those in its folder and below.
   */
  entries(paths: readonly string[], options: EntryOptions): Entry[] {
    return this.#places(paths).flatMap(({ file, module, suite, broken }) => {
      try {
        if (suite === undefined) throw broken;
        const entries = readEntries(suite, module, suite.files === undefined ? undefined : readFile(file));
        return entries.flatMap((one) => toEntries(one, { file, module, suite, options }));
      } catch (error) {
        return [brokenEntry(file, module, asUnderstudyError(error), options)];
      }
    });
  }

  player(openTools: OpenTools<Tools>): Player {
    return {
      play: (entry, context) => {
        const { module, suite } = this.#known.find((one) => one.module === moduleOf(entry)) ?? {};
        if (module === undefined || suite === undefined) throw new Error(`there is no suite for ${entry.id}`);
        return playSuiteEntry(entry, { module, suite, openTools, ...context });
      },
    };
  }

  /** A suite that is broken is at every path: nobody knows which files are its own. */
  #places(paths: readonly string[]): (Known<Tools> & { file: string })[] {
    const places = this.#known.flatMap((known) => {
      const { module, suite, broken } = known;
      const files =
        suite?.files === undefined
          ? [module].filter(
              (file) => broken !== undefined || paths.some((path) => isInside(resolve(path), resolve(file))),
            )
          : findFiles(
              paths.map((path) => (isSame(path, module) ? dirname(module) : path)),
              (path) => isFileOf(suite, path),
            );
      return files.map((file) => ({ ...known, file }));
    });
    return places.map((place, index) => {
      const other = places.findIndex(({ file }) => isSame(file, place.file));
      return other === index
        ? place
        : { ...place, suite: undefined, broken: claimedTwice(place, places[other]?.module) };
    });
  }
}

function isSame(one: string, other: string): boolean {
  return resolve(one) === resolve(other);
}

function isFileOf(suite: LoadedSuite<never> | undefined, path: string): boolean {
  const ending = suite?.files === undefined ? undefined : endingOf(suite.files);
  return ending !== undefined && path.endsWith(ending);
}

function claimedTwice({ file, module }: { file: string; module: string }, other: string | undefined): UnderstudyError {
  return new UnderstudyError('PART_UNUSABLE', `${file} is a file of two suites: ${other} and ${module}`, {
    fix: 'Give one of them another ending in `files`.',
    location: { file: module },
  });
}

/** What stands in a file is read by its ending: what is wrong with it has a line. */
function readFile(file: string): SuiteFile {
  const path = resolve(file);
  if (!/\.(?:json|toml|ya?ml)$/i.test(file)) return { path, text: readText(file) };
  const { value: document, text = '' } = readSource(file);
  return { path, text, document };
}

interface Place<Tools> {
  file: string;
  module: string;
  suite: LoadedSuite<Tools>;
  options: EntryOptions;
}

function toEntries<Tools>(one: SuiteEntry, { file, module, suite, options }: Place<Tools>): Entry[] {
  const { defaults = {} } = options;
  const tags = [...new Set([suite.name, ...(one.tags ?? [])])];
  const own = {
    ...{ agents: [one.agent ?? defaults.agents ?? 'claude'].flat(), isNamed: one.agent !== undefined, atOnce: false },
    ...{ stage: one.stage ?? defaults.stage ?? 'scripted', tags },
  };
  return placesOf(own, { ...options, ...withoutModels(options) }).map((place): Entry => {
    const {
      agents: [agent = 'claude'],
      stage,
      isolation,
      target,
    } = place;
    // One that does not exist would be found out only by a play that asks for it.
    parseAgentSpec(agent);
    return {
      id: entryId(file, agent, stage, one.name) + markOf(place),
      kind: 'rehearsal',
      ...{ name: one.name, ...defined({ description: one.description }), file, agent, stage, round: 1 },
      ...defined({ target }),
      tags,
      rerun: rerunOf(file, [
        `--grep ${shellWord(`[${one.name}]`)}`,
        ...[`--agent ${agent}`, `--stage ${stage}`],
        ...rerunFlags(place),
        ...(isolation === undefined ? [] : [`--isolation ${isolation}`]),
      ]),
      folderName: entryFolderName(file, agent, stage, one.name) + markOf(place).replaceAll(' ', '.'),
      parts: partsOf(module, file),
      isolation: { requested: isolation },
      runsProgram: true,
      ...defined({ skip: skipOn(stage) }),
      ...{ player: SUITE_PLAYER, options: { module, data: one.data } },
    };
  });
}

function rerunOf(file: string, words: readonly string[] = []): string {
  return [`${ownCommand()} run`, shellWord(file), ...words].join(' ');
}

/** A suite has no recordings, and nothing says what it would spend. */
function skipOn(stage: Stage): string | undefined {
  return entryStages.includes(stage as EntryStage) ? undefined : `suites are played on ${entryStages.join(' and ')}`;
}

function brokenEntry(file: string, module: string, broken: UnderstudyError, options: EntryOptions): Entry {
  const { agents, stage, defaults = {} } = options;
  const agent = [agents ?? defaults.agents ?? 'claude'].flat().join('+');
  const on = stage ?? defaults.stage ?? 'scripted';
  return {
    id: file,
    kind: 'rehearsal',
    ...{ name: file, file, tags: [], agent, stage: on, round: 1 },
    rerun: rerunOf(file),
    folderName: entryFolderName(file, agent, on),
    parts: partsOf(module, file),
    ...{ broken, player: SUITE_PLAYER },
  };
}

function partsOf(module: string, file: string): string[] {
  return [...new Set([resolve(file), resolve(module), ...filesOfPart(module)])];
}

function asShown(path: string): string {
  const near = relative('.', path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
