import { join } from 'node:path';
import type { ConfigPaths } from '../../../claude-code/config-paths.js';
import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import { NotSupported } from '../cli/arguments.js';
import { SCOPES, type Scope } from './installed-file.js';
import { writeJson } from './marketplaces.js';

type Field = 'enabledPlugins' | 'extraKnownMarketplaces';

/** The settings of one scope, as far as they are about plugins. */
export class ScopeSettings {
  readonly #file: string;

  constructor(
    readonly scope: Scope,
    paths: ConfigPaths,
    cwd: string,
  ) {
    this.#file =
      scope === 'user'
        ? paths.userSettings
        : join(cwd, '.claude', scope === 'project' ? 'settings.json' : 'settings.local.json');
  }

  get(field: Field): JsonObject {
    const value = this.#read()[field];
    return isObject(value) ? value : {};
  }

  set(field: Field, key: string, value: unknown): void {
    this.#write(field, { ...this.get(field), [key]: value });
  }

  /** Removes what is there. Gives whether it was. */
  remove(field: Field, isMeant: (key: string) => boolean): boolean {
    const all = Object.entries(this.get(field));
    const kept = all.filter(([key]) => !isMeant(key));
    if (kept.length < all.length) this.#write(field, Object.fromEntries(kept));
    return kept.length < all.length;
  }

  #read(): JsonObject {
    const text = readIfThere(this.#file);
    if (text === undefined || text.trim() === '') return {};
    const settings = parseJson(text);
    if (isObject(settings)) return settings;
    throw new NotSupported(`error: the stand-in does not change ${this.#file}: it is no JSON object`);
  }

  #write(field: Field, value: JsonObject): void {
    const { enabledPlugins, extraKnownMarketplaces, ...others } = this.#read();
    // The CLI writes what it knows in its own order, and what is new behind it.
    const known = defined({ enabledPlugins, extraKnownMarketplaces });
    writeJson(this.#file, { ...others, ...known, [field]: value }, '\n');
  }
}

/** Those of all scopes, the widest first. */
export function allSettings(paths: ConfigPaths, cwd: string): ScopeSettings[] {
  return SCOPES.map((scope) => new ScopeSettings(scope, paths, cwd));
}

/** Which plugins are on and off, all scopes together. */
export function chosenPlugins(all: readonly ScopeSettings[]): JsonObject {
  return Object.assign({}, ...all.map((one) => one.get('enabledPlugins'))) as JsonObject;
}
