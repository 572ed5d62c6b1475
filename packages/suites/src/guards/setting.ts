import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HOOKS_FILE, kindOf, MANIFEST_FILE } from '@understudy/agents';
import {
  createLocator,
  defined,
  isObject,
  isStringList,
  type JsonObject,
  type Path,
  parseJson,
  readIfThere,
  UnderstudyError,
} from '@understudy/kit';
import type { ProjectDescription } from '@understudy/runner';
import { copyFolder, readHooksOf } from '@understudy/stage';
import type { Guard, Setting } from './guard.js';

/** The project in which a plugin is tried. */
export const PROJECT = { type: 'cli', language: 'python', git: true } as const satisfies ProjectDescription;
const SETTINGS = ['.claude/settings.json', '.claude/settings.local.json'];
const LISTS = ['deny', 'ask', 'allow'] as const;
/** What a copy of a project does without: its history, our own folder, and secrets. */
const LEFT_OUT = ['.git', '.understudy', '.env', '.env.local', '.credentials.json'];

/** A file with settings. */
export interface SettingsPlace {
  /** As it is shown. */
  file: string;
  at: string;
  isManaged?: true;
}

/** A permission rule as it is written, also in a file that the CLI does not load. */
export interface WrittenRule {
  file: string;
  at: string;
  list: NonNullable<Guard['list']>;
  text: string;
  line?: number;
  isManaged?: true;
}

export interface SettingOptions {
  /** A folder for a copy, which stays as long as something is played in it. */
  scratch: string;
  /** A file with settings of an administrator. */
  managed?: string | undefined;
}

export function isPluginFolder(root: string): boolean {
  return [MANIFEST_FILE, HOOKS_FILE].some((file) => existsSync(join(root, file)));
}

export function hasSettings(root: string): boolean {
  return SETTINGS.some((file) => existsSync(join(root, file)));
}

export function refuseNoFolder(root: string): void {
  if (kindOf(root) === 'folder') return;
  throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no folder ${root}`, {
    fix: 'Name the folder of a plugin, or of a project with .claude/settings.json.',
  });
}

/** The settings files of a project, and that of an administrator. */
export function settingsPlaces(root: string, managed: string | undefined): SettingsPlace[] {
  const own = SETTINGS.map((file) => ({ file, at: join(root, file) }));
  return [...own, ...(managed === undefined ? [] : [{ file: managed, at: managed, isManaged: true as const }])];
}

/** What is played in a project: a copy of it; one that has no hooks needs its settings alone. */
export function projectSetting(root: string, { scratch, managed }: SettingOptions): Setting {
  const { hooks, plugin } = readHooksOf(root);
  const hasHooks = plugin === undefined && hooks.length > 0;
  return {
    ...{ root, again: [root], plugins: [], project: hasHooks ? copied(root, scratch) : settingsOnly(root) },
    ...defined({ managed: managed === undefined ? undefined : settingsIn('--managed', managed) }),
  };
}

function settingsOnly(root: string): ProjectDescription {
  const files = [...SETTINGS, '.mcp.json', 'CLAUDE.md'].flatMap((name) => {
    const text = readIfThere(join(root, name));
    return text === undefined ? [] : [[name, text] as const];
  });
  return { files: Object.fromEntries(files), git: true };
}

function copied(root: string, scratch: string): ProjectDescription {
  const path = join(scratch, 'project');
  copyFolder(root, path, { leaveOut: LEFT_OUT });
  return { path, git: true };
}

/** The settings in a file that a flag names. */
export function settingsIn(flag: string, file: string): JsonObject {
  const text = readIfThere(file);
  const value = text === undefined ? undefined : parseJson(text);
  if (isObject(value)) return value;
  throw new UnderstudyError('BAD_FLAG', `${flag} ${file} is ${text === undefined ? 'not there' : 'no JSON object'}`, {
    fix: 'Name a file with settings as JSON.',
  });
}

/** The permission rules of settings files, with their lines. */
export function writtenRules(places: readonly SettingsPlace[]): WrittenRule[] {
  return places.flatMap(({ file, at, isManaged }) => {
    const value = parseJson(readIfThere(at) ?? '');
    const permissions = isObject(value) && isObject(value['permissions']) ? value['permissions'] : {};
    return LISTS.flatMap((list) => {
      const texts = permissions[list];
      if (!isStringList(texts)) return [];
      return texts.map((text, index) => ({
        ...{ file, at, list, text },
        ...defined({ line: lineIn(at, ['permissions', list, index]), isManaged }),
      }));
    });
  });
}

/** The line of a path in a JSON file. */
export function lineIn(file: string, path: Path): number | undefined {
  const text = readIfThere(file);
  return text === undefined ? undefined : createLocator({ text, format: 'json', file })(path)?.line;
}

/** The line of a hook in its file. */
export function lineOfHook(
  root: string,
  { file, path }: { file: string; path?: string | undefined },
): number | undefined {
  const at = path?.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return at === undefined ? undefined : lineIn(join(root, file), at);
}
