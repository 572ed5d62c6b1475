import { dirname, join } from 'node:path';
import { isObject, type JsonObject, readIfThere } from '../../document/json.js';
import { parseSource } from '../../document/source.js';
import { InvalidDocumentError } from '../../errors.js';
import { projectRoot } from './project-root.js';
import { Refusal } from './refusal.js';
import { isTrusted } from './trust.js';

/** One place of settings. */
export interface ConfigLayer {
  /** The file, or nothing for `-c`. */
  file?: string;
  values: JsonObject;
}

export interface ConfigRequest {
  /** Codex's home. */
  home: string;
  cwd: string;
  /** What `-c` says, in order. */
  overrides: readonly string[];
  profile?: string;
  ignoresUserConfig: boolean;
}

/** The user's file of settings. */
export function configFile(home: string): string {
  return join(home, 'config.toml');
}

/** All settings that count: of the user, of a profile, of a trusted project, and of the command line. The last one wins. */
export function readLayers({ home, cwd, overrides, profile, ignoresUserConfig }: ConfigRequest): ConfigLayer[] {
  const flags = { values: readOverrides(overrides) };
  if (ignoresUserConfig) return [flags];
  const user = readLayer(configFile(home));
  if (profile !== undefined) refuseLegacyProfile(user, profile, home);
  const profiles = profile === undefined ? [] : [readLayer(join(home, `${profile}.config.toml`))];
  const root = projectRoot(cwd);
  const projects = isTrusted(root, user.values, home) ? foldersBetween(root, cwd) : [];
  const layers = [user, ...profiles, ...projects.map((folder) => readLayer(join(folder, '.codex/config.toml')))];
  return [...layers.filter(({ values }) => Object.keys(values).length > 0), flags];
}

/** What all layers say together. */
export function mergeLayers(layers: readonly ConfigLayer[]): JsonObject {
  return layers.reduce<JsonObject>((merged, { values }) => merge(merged, values), {});
}

function readLayer(file: string): ConfigLayer {
  const text = readIfThere(file);
  if (text === undefined) return { file, values: {} };
  try {
    return { file, values: parseSource(text, 'toml', file).value as JsonObject };
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    const { message = '', location } = error.problems[0] ?? {};
    const where = `${file}:${location?.line}:${location?.column}`;
    throw new Refusal(`Error loading config.toml:\n${where}: ${message.replace(/^this is not valid TOML: /, '')}`);
  }
}

/** Profiles were once tables of the user's file. */
function refuseLegacyProfile({ file = '', values }: ConfigLayer, profile: string, home: string): void {
  const tables = values['profiles'];
  if (values['profile'] !== profile && !(isObject(tables) && profile in tables)) return;
  const legacy = `legacy \`profile = "${profile}"\` or \`[profiles.${profile}]\` config`;
  const move = `move those settings into ${join(home, `${profile}.config.toml`)}`;
  throw new Refusal(
    `Error loading config.toml: --profile \`${profile}\` cannot be used while ${file} contains ${legacy}; ${move}`,
  );
}

function readOverrides(overrides: readonly string[]): JsonObject {
  return overrides.reduce<JsonObject>((values, override) => {
    const at = override.indexOf('=');
    const key = override.slice(0, Math.max(at, 0)).trim();
    const wrong = at === -1 ? "Invalid override (missing '=')" : key === '' ? 'Empty key in override' : undefined;
    if (wrong !== undefined) throw new Refusal(`Error parsing -c overrides: ${wrong}: ${override}`);
    const value = readValue(override.slice(at + 1).trim());
    return merge(
      values,
      key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as JsonObject,
    );
  }, {});
}

/** A value in TOML. What is none is a text. */
function readValue(text: string): unknown {
  try {
    return (parseSource(`value = ${text}`, 'toml').value as JsonObject)['value'];
  } catch {
    return text.replace(/^(["'])([\s\S]*)\1$/, '$2');
  }
}

function merge(below: JsonObject, above: JsonObject): JsonObject {
  const merged: JsonObject = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const known = merged[key];
    merged[key] = isObject(known) && isObject(value) ? merge(known, value) : value;
  }
  return merged;
}

/** The folders from a project's root down to the current one. */
function foldersBetween(root: string, cwd: string): string[] {
  return cwd === root ? [root] : [...foldersBetween(root, dirname(cwd)), cwd];
}
