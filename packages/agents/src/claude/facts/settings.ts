import { join, resolve } from 'node:path';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '@understudy/kit';
import { CliError } from './cli-error.js';
import type { ConfigPaths } from './config-paths.js';
import { type HookProblem, hookProblems, WHY_GUARDED } from './hooks/problems.js';
import { PERMISSION_MODES } from './modes.js';
import { kindOfValue } from './shapes.js';

export type SettingSource = 'userSettings' | 'projectSettings' | 'localSettings' | 'flagSettings';

/** One settings file (or `--settings` text) that loaded. */
export interface SettingsFile {
  source: SettingSource;
  /** The folder that its path rules are relative to. */
  root: string;
  /** Its path, or the JSON that was given with `--settings`. */
  origin: { file: string } | { inline: string };
  settings: JsonObject;
}

export interface LoadedSettings {
  files: SettingsFile[];
  /** Files that did not load, and why: the CLI goes on without them. */
  problems: { file: string; reason: string }[];
  /** Entries that were left out of files that did load. */
  skipped: { file: string; reason: string }[];
}

export interface SettingsRequest {
  cwd: string;
  paths: ConfigPaths;
  /** Files or JSON texts, as given with `--settings`. */
  flags: readonly string[];
  /** Which of user, project and local to read; all when absent. */
  sources?: readonly string[];
}

/** Loads user, project, local and flag settings, the weakest first. */
export function loadSettings({ cwd, paths, flags, sources }: SettingsRequest): LoadedSettings {
  const loaded: LoadedSettings = { files: [], problems: [], skipped: [] };
  const wanted = (name: string): boolean => sources === undefined || sources.includes(name);
  const project = join(cwd, '.claude');
  if (wanted('user')) readFile(loaded, 'userSettings', paths.userSettings, paths.dir);
  if (wanted('project')) readFile(loaded, 'projectSettings', join(project, 'settings.json'), cwd);
  if (wanted('local')) readFile(loaded, 'localSettings', join(project, 'settings.local.json'), cwd);
  for (const flag of flags) readFlag(loaded, flag, cwd);
  return loaded;
}

/** What the settings come to: later files win, objects are joined, lists are added up. */
export function mergeSettings(files: readonly SettingsFile[]): JsonObject {
  return files.reduce<JsonObject>((merged, { settings }) => joinSettings(merged, settings), {});
}

/** The warning that the real CLI prints about files that did not load. */
export function describeProblems({ problems, skipped }: LoadedSettings): string {
  const list = (some: LoadedSettings['problems']) => some.map(({ file, reason }) => `  ${file}${reason}`);
  const left =
    skipped.length === 0
      ? []
      : ['These settings entries were skipped; the rest of each file is in effect:', ...list(skipped), ''];
  if (problems.length === 0) return left.join('\n');
  const lines = list(problems);
  return [
    'These settings files did not load, so nothing in them is in effect, including hooks and permission rules. ' +
      'Each loads again once the problem listed for it is fixed:',
    ...lines,
    ...(left.length === 0 ? [''] : left),
  ].join('\n');
}

function readFile(loaded: LoadedSettings, source: SettingSource, file: string, root: string): void {
  const text = readIfThere(file);
  if (text === undefined || text.trim() === '') return;
  addSettings(loaded, { source, root, origin: { file }, settings: {} }, file, text);
}

function readFlag(loaded: LoadedSettings, flag: string, cwd: string): void {
  const trimmed = flag.trim();
  if (trimmed.startsWith('{') && trimmed.endsWith('}')) {
    if (parseJson(trimmed) === undefined) throw new CliError('Error: Invalid JSON provided to --settings');
    const origin = { inline: trimmed };
    addSettings(
      loaded,
      { source: 'flagSettings', root: cwd, origin, settings: {} },
      '--settings (inline JSON)',
      trimmed,
    );
    return;
  }
  const file = resolve(cwd, flag);
  const text = readIfThere(file);
  if (text === undefined) throw new CliError(`Error: Settings file not found: ${file}`);
  addSettings(loaded, { source: 'flagSettings', root: cwd, origin: { file }, settings: {} }, file, text);
}

function addSettings(loaded: LoadedSettings, as: SettingsFile, file: string, text: string): void {
  const settings = parseJson(text);
  if (!isObject(settings)) {
    const reason = settings === undefined ? 'Invalid or malformed JSON' : wrongType('', 'object', settings).reason;
    loaded.problems.push({ file, reason: `: ${reason}` });
    return;
  }
  const hooks = settings['hooks'] === undefined ? [] : hookProblems(settings['hooks']);
  const guards = hooks.filter((problem) => problem.guards);
  const wrong = [
    ...guards.map((problem) => ({ path: pathOf(problem), reason: inFull(problem, ` — ${WHY_GUARDED}.`) })),
    ...wrongPermissions(settings),
    ...guards.flatMap(({ types }) => types),
  ];
  loaded.problems.push(...wrong.map(({ path, reason }) => ({ file, reason: ` (${path}): ${reason}` })));
  if (wrong.length > 0 || !hasKnownMode(settings)) return;
  const kept = withoutBadRules(settings, file, loaded.skipped);
  loaded.skipped.push(
    ...hooks.map((problem) => ({ file, reason: ` (${pathOf(problem)}): ${inFull(problem, problem.left)}` })),
  );
  loaded.files.push({ ...as, settings: kept });
}

/** A file with another mode does not count at all, and the CLI does not say so. */
function hasKnownMode({ permissions }: JsonObject): boolean {
  const mode = isObject(permissions) ? permissions['defaultMode'] : undefined;
  return mode === undefined || PERMISSION_MODES.some((known) => known === String(mode));
}

/** Modes in which nobody is asked. */
const UNASKED = ['bypassPermissions', 'auto'];

/** The mode that the settings begin with. A project cannot choose that nobody is asked: the user can. */
export function configuredMode(files: readonly SettingsFile[]): string | undefined {
  const chosen = files.flatMap(({ source, settings: { permissions } }) => {
    const mode = isObject(permissions) ? permissions['defaultMode'] : undefined;
    return mode === undefined ? [] : [{ source, mode: String(mode) }];
  });
  const { source, mode } = chosen.at(-1) ?? {};
  const isOfProject = source === 'projectSettings' || source === 'localSettings';
  return isOfProject && mode !== undefined && UNASKED.includes(mode) ? 'default' : mode;
}

const pathOf = ({ path, inSettings }: HookProblem): string => inSettings?.path ?? path;

function inFull({ what, inSettings }: HookProblem, more: string): string {
  return `${inSettings?.what ?? what}${more}${inSettings?.behind === undefined ? '' : ` ${inSettings.behind}`}`;
}

/** A rule whose tool begins with a small letter is skipped, and named. */
function withoutBadRules(settings: JsonObject, file: string, skipped: LoadedSettings['skipped']): JsonObject {
  const { permissions } = settings;
  if (!isObject(permissions)) return settings;
  const kept: JsonObject = { ...permissions };
  for (const list of ['allow', 'deny', 'ask'] as const) {
    const rules = permissions[list];
    if (!isStringList(rules)) continue;
    const isBad = (rule: string): boolean => /^[a-z]/.test(rule) && !rule.startsWith('mcp__');
    kept[list] = rules.filter((rule) => !isBad(rule));
    for (const rule of rules.filter(isBad)) {
      const right = `${rule.charAt(0).toUpperCase()}${rule.slice(1).replace(/\(.*$/s, '')}`;
      const reason = `Invalid permission rule "${rule}" was skipped: Tool names must start with uppercase. Use "${right}"`;
      skipped.push({ file, reason: ` (permissions.${list}): ${reason}` });
    }
  }
  return { ...settings, permissions: kept };
}

/** What has the wrong type in the rules of the settings. */
function wrongPermissions({ permissions }: JsonObject): { path: string; reason: string }[] {
  if (permissions === undefined) return [];
  if (!isObject(permissions)) return [wrongType('permissions', 'object', permissions)];
  return ['allow', 'deny', 'ask', 'additionalDirectories'].flatMap((list) => {
    const value = permissions[list];
    return value === undefined || isStringList(value) ? [] : [wrongType(`permissions.${list}`, 'array', value)];
  });
}

function wrongType(path: string, expected: string, value: unknown): { path: string; reason: string } {
  return { path, reason: `Expected ${expected}, but received ${kindOfValue(value)}` };
}

function joinSettings(under: unknown, over: JsonObject): JsonObject {
  const merged: JsonObject = isObject(under) ? { ...under } : {};
  for (const [key, value] of Object.entries(over)) {
    const old = merged[key];
    if (Array.isArray(old) && Array.isArray(value)) merged[key] = [...old, ...value];
    else if (isObject(old) && isObject(value)) merged[key] = joinSettings(old, value);
    else merged[key] = value;
  }
  return merged;
}
